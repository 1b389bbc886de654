// A group of tasks: who closes it goes on when every task of it is through, not before, also when the group is used again while
// somebody still looks at its last end.
#include <hop/base/plain.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/sched/run_group.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

// Stands for what else is in a waiter's frame.
struct framed_waiter : sched::waiter {
  base::plain<int> frame{0};
};

}  // namespace
}  // namespace hop::model

namespace hop::sched {

// In the runtime a flow goes on as well; here only threads wait.
void run_group::wake(waiter& w) {
  HOP_MODEL_CHECK(static_cast<model::framed_waiter&>(w).frame.get() == 1, "woken, and not seen whole");
  w.wake_thread();
}

}  // namespace hop::sched

namespace hop::model {
namespace {

using std::memory_order_acquire, std::memory_order_release;

constexpr int most_tasks = 3;

struct scene {
  explicit scene(std::size_t seats) : group(seats) {}
  sched::run_group group;
  base::plain<int> results[most_tasks];
  int living = 0;

  void begin(std::size_t seat) {
    ++living;
    group.spawned(seat);
  }
  void begin_outside() {
    ++living;
    group.spawned_outside();
  }
  void end(int task, std::size_t seat) {
    results[task].set(1);
    --living;
    group.finished(seat);
  }
  // The tasks [from, to) are those of this use.
  void close(int from, int to) {
    framed_waiter mine;
    mine.frame.set(1);
    if (group.close(mine)) mine.sleep();
    HOP_MODEL_CHECK(living == 0, "a task lives, and its group is at its end");
    mine.frame.set(2);
    for (int i = from; i < to; ++i) HOP_MODEL_CHECK(results[i].get() == 1, "what a task did is not seen");
  }
};

// As many tasks as workers, spawned before it is closed.
void all_are_through(int tasks) {
  scene s{static_cast<std::size_t>(tasks) + 1};
  for (int i = 0; i < tasks; ++i) i == 0 ? s.begin(0) : s.begin_outside();
  crew c;
  for (int i = 0; i < tasks; ++i)
    c.add(i == 0 ? "worker" : "worker2", [&s, i] { s.end(i, static_cast<std::size_t>(i) + 1); });
  c.add("closer", [&s, tasks] { s.close(0, tasks); });
}

// A task that begins another while the group is being closed; the child runs elsewhere, or here.
void children_count(bool elsewhere) {
  scene s{3};
  s.begin(0);
  base::atomic<int> queue{0};
  crew c;
  c.add("worker", [&] {
    s.begin(1);
    if (elsewhere) queue.store(1, memory_order_release);
    s.end(0, 1);
    if (!elsewhere) s.end(1, 1);
  });
  if (elsewhere)
    c.add("worker2", [&] {
      while (queue.load(memory_order_acquire) == 0) base::spin_hint();
      s.end(1, 2);
    });
  c.add("closer", [&] { s.close(0, 2); });
}

// The group is used again at once: whoever looked at the first end must not take the second waiter for the first.
void used_again() {
  scene s{3};
  s.begin(0);
  base::atomic<int> queue{0};
  crew c;
  c.add("worker", [&] { s.end(0, 1); });
  c.add("closer", [&] {
    s.close(0, 1);
    s.begin(0);
    queue.store(1, memory_order_release);
    s.close(1, 2);
  });
  c.add("worker2", [&] {
    while (queue.load(memory_order_acquire) == 0) base::spin_hint();
    s.end(1, 2);
  });
}

const char* const twice = "the exchange in tell() acquires, and it looks again before it wakes";
const char* const empty = "it leaves an empty word, from which nobody learns anything";
const char* const one_each = "no two tasks of one use here; sched_run_group_two needs it";
const char* const counted = "quiet() has acquired every end before";

const registration pieces[] = {
    registration{{.name = "sched_run_group",
                  .row = "sched",
                  .claim = "one task: who closes goes on when it is through",
                  .body = [] { all_are_through(1); },
                  .code_mutants = {"run_group: close without the heavy fence"}}},
    registration{
        {.name = "sched_run_group_two",
         .row = "sched",
         .claim = "two tasks: woken once, by the last",
         .body = [] { all_are_through(2); },
         .how = {.how = strategy::bounded, .preemptions = 2},
         .spurious = false,
         .code_mutants = {"run_group: tell without a fence", "run_group: close without the heavy fence",
                          "run_group: tell does not look whether all are through"},
         .weaken_in = {"run_group.hpp"},
         .survivors = {{"finished: load acquire -> relaxed", twice},
                       {"close: rmw acq_rel -> acquire", empty},
                       {"close: rmw acq_rel -> release", counted},
                       {"tell: rmw acq_rel -> acquire", empty},
                       {"tell: rmw acq_rel -> release",
                        "the load in finished() has acquired the same store; sched_run_group_again needs it"}}}},
    registration{{.name = "sched_run_group_child",
                  .row = "sched",
                  .claim = "a task that another began counts before that one is through",
                  .body = [] { children_count(true); },
                  .how = {.how = strategy::bounded, .preemptions = 2},
                  .spurious = false,
                  .code_mutants = {"run_group: beginnings are counted first"}}},
    registration{
        {.name = "sched_run_group_again",
         .row = "sched",
         .claim = "used again at once, nobody goes on too early",
         .body = used_again,
         .how = {.how = strategy::bounded, .preemptions = 2},
         .spurious = false,
         .code_mutants = {"run_group: tell does not look again", "run_group: put back without the heavy fence"},
         .weaken_in = {"run_group.hpp"},
         .survivors = {{"tell: fence seq_cst -> acq_rel", one_each},
                       {"tell: fence seq_cst -> relaxed", one_each},
                       {"finished: load acquire -> relaxed", twice},
                       {"close: rmw acq_rel -> acquire", empty},
                       {"close: rmw acq_rel -> release", counted},
                       {"tell: rmw acq_rel -> acquire", empty}}}},
};

}  // namespace
}  // namespace hop::model
