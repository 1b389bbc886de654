// A worker's line of flows: each is taken once and whole, oldest first, by the owner or by others, also where the ring wraps.
#include <hop/base/plain.hpp>
#include <hop/sched/fifo.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

constexpr int most_jobs = 4;

struct line {
  struct job {
    base::plain<int> payload{0};
    bool pushed = false;
    bool taken = false;
  };
  sched::fifo<job, 2> q;
  job jobs[most_jobs];

  bool push(int i) {
    jobs[i].payload.set(i + 1);
    jobs[i].pushed = true;
    if (!q.push(&jobs[i])) jobs[i].pushed = false;
    return jobs[i].pushed;
  }
  // What is noted here is part of the step that took it: exact.
  bool take() {
    job* const j = q.take();
    if (j == nullptr) return false;
    HOP_MODEL_CHECK(j >= jobs && j < jobs + most_jobs && j->pushed, "something was taken that nobody pushed");
    HOP_MODEL_CHECK(!j->taken, "a task was taken twice");
    HOP_MODEL_CHECK(j->payload.get() == static_cast<int>(j - jobs) + 1, "a task is not whole");
    j->taken = true;
    for (const job* older = jobs; older < j; ++older)
      HOP_MODEL_CHECK(!older->pushed || older->taken, "another than the oldest was taken");
    return true;
  }
  void drain() {
    while (take()) {
    }
    for (const job& j : jobs) HOP_MODEL_CHECK(!j.pushed || j.taken, "a task was lost");
    HOP_MODEL_CHECK(q.empty(), "nothing is left, but it says something is");
  }
};

void takers_only(int takers, int pushes) {
  line l;
  {
    crew c;
    c.add("owner", [&] {
      for (int i = 0; i < pushes; ++i) l.push(i);
    });
    for (int i = 0; i < takers; ++i) c.add(i == 0 ? "taker" : "taker2", [&] { l.take(), l.take(); });
  }
  l.drain();
}

void owner_takes_too() {
  line l;
  l.push(0);
  crew{}
      .add("owner",
           [&] {
             l.push(1);
             l.take();
             l.push(2);
             l.push(3);
           })
      .add("taker", [&] { l.take(), l.take(); })
      .join();
  l.drain();
}

const char* const told = "the loads before it have learnt all there is to know; they are the acquires";

const registration pieces[] = {
    registration{{.name = "sched_fifo",
                  .row = "E21",
                  .claim = "each is taken once and whole, oldest first: two takers",
                  .body = [] { takers_only(2, 2); },
                  .code_mutants = {"fifo: the head is stored, not exchanged", "fifo: the slot is read after the claim"},
                  .weaken_in = {"fifo.hpp"},
                  .survivors = {{"take: rmw acq_rel -> release", told}}}},
    registration{
        {.name = "sched_fifo_wrap",
         .row = "C24",
         .claim = "four through two slots, the owner takes as well",
         .body = owner_takes_too,
         .code_mutants = {"fifo: the head is stored, not exchanged", "fifo: the slot is read after the claim",
                          "fifo: full is not looked for"},
         .weaken_in = {"fifo.hpp"},
         .survivors = {{"push: load acquire -> relaxed",
                        "keeps a taker's read of a slot before its next use: load buffering, beyond this model"},
                       {"take: rmw acq_rel -> release", told},
                       {"take: failed cas acquire -> relaxed",
                        "the owner knows its own tail, so one taker alone is never behind; sched_fifo needs it"}}}},
    registration{{.name = "sched_fifo_sampled",
                  .row = "C24",
                  .claim = "four through two slots and two takers, sampled",
                  .body = [] { takers_only(2, 4); },
                  .how = {.how = strategy::random, .runs = 30'000}}},
};

}  // namespace
}  // namespace hop::model
