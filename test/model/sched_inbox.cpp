// The inbox: what other threads push is taken once and whole, in the order in which each pushed it, and who is about to sleep does
// not overlook it.
#include <hop/base/fence.hpp>
#include <hop/base/plain.hpp>
#include <hop/sched/inbox.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using std::memory_order_relaxed;

constexpr int most_pushers = 2;
constexpr int most_each = 3;

struct scene {
  struct job {
    base::plain<job*> next{nullptr};
    base::plain<int> payload{0};
    int from = 0;
    int turn = 0;
    bool pushed = false;
  };
  sched::inbox<job> box;
  job jobs[most_pushers][most_each];
  int taken[most_pushers] = {};
  int pushed = 0;

  void push(int from, int turn) {
    job& j = jobs[from][turn];
    j.payload.set(from + turn + 1);
    j.from = from;
    j.turn = turn;
    j.pushed = true;
    ++pushed;
    box.push(&j);
  }
  // Two takers end their calls in any order: then only once and whole is claimed.
  bool take(bool alone) {
    job* const j = box.take();
    if (j == nullptr) return false;
    HOP_MODEL_CHECK(j->pushed, "a task was taken twice");
    HOP_MODEL_CHECK(j->payload.get() == j->from + j->turn + 1, "a task is not whole");
    j->pushed = false;
    if (alone) HOP_MODEL_CHECK(j->turn == taken[j->from], "a pusher's tasks came in another order");
    ++taken[j->from];
    return true;
  }
  void drain(bool in_order) {
    while (take(in_order)) {
    }
    HOP_MODEL_CHECK(taken[0] + taken[1] == pushed, "a task was lost");
    HOP_MODEL_CHECK(box.seems_empty(), "nothing is left, but it says something is");
  }
};

void pushers_and_a_taker(int pushers, int each, int takes) {
  scene s;
  {
    crew c;
    for (int p = 0; p < pushers; ++p)
      c.add(p == 0 ? "pusher" : "pusher2", [&s, p, each] {
        for (int i = 0; i < each; ++i) s.push(p, i);
      });
    c.add("taker", [&] {
      for (int i = 0; i < takes; ++i) s.take(true);
    });
  }
  s.drain(true);
}

void two_takers(int before, int during) {
  scene s;
  for (int i = 0; i < before; ++i) s.push(0, i);
  crew{}
      .add("pusher",
           [&] {
             for (int i = 0; i < during; ++i) s.push(0, before + i);
           })
      .add("taker", [&] { s.take(false); })
      .add("taker2", [&] { s.take(false); })
      .join();
  s.drain(false);
}

// Two are there, and one taker: it is never empty.
void never_empty() {
  scene s;
  s.push(0, 0);
  s.push(0, 1);
  crew{}
      .add("taker", [&] { s.take(true); })
      .add("looker", [&] { HOP_MODEL_CHECK(!s.box.seems_empty(), "it seems empty, and one is left"); })
      .join();
  s.drain(true);
}

// A look behind a fence: the sleeper sees what was pushed, or the pusher sees the sleeper.
void look_behind_a_fence(bool taker) {
  scene s;
  base::atomic<int> asleep{0};
  bool unseen = false, slept = false;
  {
    crew c;
    c.add("pusher", [&] {
      s.push(0, 0);
      s.push(0, 1);
      base::fence_seq_cst();
      unseen = asleep.load(memory_order_relaxed) == 0;
    });
    c.add("sleeper", [&] {
      asleep.store(1, memory_order_relaxed);
      base::fence_seq_cst();
      slept = s.box.seems_empty();
    });
    if (taker) c.add("taker", [&] { s.take(true); });
  }
  HOP_MODEL_CHECK(!(unseen && slept), "something is there, the pusher saw no sleeper, and the sleeper nothing");
  s.drain(true);
}

// Who only wants to know how long the oldest waits.
void peek_and_take() {
  scene s;
  s.push(0, 0);
  crew{}
      .add("watcher",
           [&] {
             bool in_time = true;
             const bool there =
                 s.box.peek([&](scene::job& j) { in_time = j.turn == s.taken[0] && j.payload.get() > 0; });
             HOP_MODEL_CHECK(!there || in_time, "it looked at another than the oldest");
           })
      .add("pusher", [&] { s.push(0, 1); })
      .add("taker", [&] { s.take(true); })
      .join();
  s.drain(true);
}

const char* const a_hint = "what is overlooked is found at the next look; sched_inbox_hint needs it";
const char* const before = "what is there was pushed before the threads began; sched_inbox_two_takers needs it";
const char* const alone = "one taker; sched_inbox_two_takers needs it";

const registration pieces[] = {
    registration{{.name = "sched_inbox",
                  .row = "B14",
                  .claim = "two pushers and a taker: all, once, whole, each in its order",
                  .body = [] { pushers_and_a_taker(2, 1, 2); }}},
    registration{{.name = "sched_inbox_both",
                  .row = "B14",
                  .claim = "two pushers with two each",
                  .body = [] { pushers_and_a_taker(2, 2, 2); },
                  .how = {.how = strategy::bounded, .preemptions = 1},
                  .code_mutants = {"inbox: newest first"}}},
    registration{{.name = "sched_inbox_order",
                  .row = "X7",
                  .claim = "first in, first out",
                  .body = [] { pushers_and_a_taker(1, 3, 3); },
                  .code_mutants = {"inbox: newest first"}}},
    registration{
        {.name = "sched_inbox_two_takers",
         .row = "B14",
         .claim = "two takers: all, once, whole",
         .body = [] { two_takers(1, 1); },
         .code_mutants = {"inbox: taking excludes nobody"},
         .weaken_in = {"inbox.hpp"},
         .survivors = {{"seems_empty: load acquire -> relaxed", a_hint}, {"refill: rmw acq_rel -> acquire", a_hint}}}},
    registration{{.name = "sched_inbox_hint",
                  .row = "B10",
                  .claim = "while something is left it does not seem empty",
                  .body = never_empty,
                  .code_mutants = {"inbox: the line is not announced"},
                  .weaken_in = {"inbox.hpp"},
                  .survivors = {{"push: rmw release -> relaxed", before},
                                {"refill: rmw acq_rel -> release", before},
                                {"try_lock: rmw acquire -> relaxed", alone},
                                {"unlock: store release -> relaxed", alone}}}},
    registration{{.name = "sched_inbox_fence",
                  .row = "B10",
                  .claim = "pushed before a fence is not overlooked behind one, also while somebody takes",
                  .body = [] { look_behind_a_fence(true); },
                  .code_mutants = {"inbox: the line is not announced"}}},
    registration{
        {.name = "sched_inbox_peek",
         .row = "B14",
         .claim = "a look at the oldest disturbs nobody",
         .body = peek_and_take,
         .weaken_in = {"inbox.hpp"},
         .survivors = {{"seems_empty: load acquire -> relaxed", a_hint}, {"refill: rmw acq_rel -> acquire", a_hint}}}},
    registration{{.name = "sched_inbox_sampled",
                  .row = "B14",
                  .claim = "two pushers with three each, sampled",
                  .body = [] { pushers_and_a_taker(2, 3, 4); },
                  .how = {.how = strategy::random, .runs = 30'000}}},
};

}  // namespace
}  // namespace hop::model
