// The Chase-Lev deque: every task runs once, and every order in it is needed or has a reason not to be.
#include <hop/base/plain.hpp>

#include "crew.hpp"
#include "textbook/chase_lev_deque.hpp"

namespace hop::model {
namespace {

constexpr int tasks = 3;

// The owner pushes three through a ring of two and pops; thieves steal. Each task is taken once, whole.
template <bool FenceInPush = true>
void each_task_once(int thieves, int steals) {
  chase_lev_deque<2, FenceInPush> d;
  base::plain<int> payload[tasks];
  int taken[tasks] = {};
  const auto take = [&](int v) {
    if (v < 0) return;
    HOP_MODEL_CHECK(payload[v].get() == v + 1, "a task was taken before its payload was there");
    HOP_MODEL_CHECK(++taken[v] == 1, "a task was taken twice");
  };
  int pushed = 0;
  {
    crew c;
    c.add("owner", [&] {
      for (int i = 0; i < tasks; ++i) {
        payload[i].set(i + 1);
        if (!d.push(i)) break;
        ++pushed;
      }
      take(d.pop());
      take(d.pop());
    });
    for (int i = 0; i < thieves; ++i) {
      c.add(i == 0 ? "thief" : "thief2", [&] {
        for (int k = 0; k < steals; ++k) take(d.steal());
      });
    }
  }
  for (int v = d.pop(); v >= 0; v = d.pop()) take(v);
  for (int i = 0; i < pushed; ++i) HOP_MODEL_CHECK(taken[i] == 1, "a task was lost");
}

const registration pieces[] = {
    registration{
        {.name = "chase_lev",
         .row = "B1",
         .claim = "each task is taken once and whole",
         .body = [] { each_task_once(1, 2); },
         .weaken_in = {"chase_lev_deque.hpp"},
         .survivors =
             {{"push: load acquire -> relaxed",
               "keeps a reused slot's store behind the thief's read of it: load buffering, beyond this model"},
              {"pop: rmw seq_cst -> acq_rel", "the CAS is atomic and the fences order the looks before it"},
              {"steal: rmw seq_cst -> acq_rel", "the CAS is atomic and the fences order the looks before it"},
              {"pop: rmw seq_cst -> relaxed", "the CAS is atomic and the fences order the looks before it"},
              {"steal: rmw seq_cst -> relaxed",
               "its release keeps the thief's read before the slot's reuse: load buffering, beyond this model"},
              {"steal: load acquire -> relaxed", "the seq_cst fence right behind it acquires too"}}}},
    registration{{.name = "chase_lev_release_store",
                  .row = "B1",
                  .claim = "a release store in push is not enough",
                  .body = [] { each_task_once<false>(1, 2); },
                  .must_find = "race"}},
    registration{{.name = "chase_lev_two_thieves",
                  .row = "B1",
                  .claim = "two thieves, sampled",
                  .body = [] { each_task_once(2, 2); },
                  .how = {.how = strategy::random, .runs = 30'000}}},
};

}  // namespace
}  // namespace hop::model
