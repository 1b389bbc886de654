// The word of a task: whoever waits is woken once, after the task is through; it is freed once, by who is last; and its runner
// finds out what to run although others wait for it already.
#include <hop/base/plain.hpp>
#include <hop/sched/task.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

constexpr sched::task_kind the_kind{nullptr, "counted"};
constexpr int most_waiters = 3;

// Stands for what else is in a waiter's frame.
struct framed_waiter : sched::waiter {
  base::plain<int> frame{0};
};

struct scene {
  sched::task t{the_kind, nullptr};
  base::plain<int> result{0};
  base::plain<int> record{0};  // where the task lives: a write stands for its end
  int woken[most_waiters] = {};
  int frees = 0;

  void free_record() {
    HOP_MODEL_CHECK(++frees == 1, "freed twice");
    record.set(1);
  }
  void run(bool may_be_abandoned) {
    HOP_MODEL_CHECK(record.get() == 0, "run after it was freed");
    HOP_MODEL_CHECK(&t.kind() == &the_kind, "a task ran as something else");
    result.set(1);
    const auto end = t.finish();
    HOP_MODEL_CHECK(may_be_abandoned || !end.abandoned, "nobody has left it alone");
    for (sched::waiter* w = end.waiters; w != nullptr;) {
      sched::waiter* const after = w->next;
      HOP_MODEL_CHECK(static_cast<framed_waiter*>(w)->frame.get() == 1, "a waiter is not seen whole");
      w->wake_thread();
      w = after;
    }
    if (end.abandoned) free_record();
  }
  void wait(int me) {
    framed_waiter mine;
    mine.frame.set(1);
    if (t.add_waiter(mine)) mine.sleep();
    HOP_MODEL_CHECK(++woken[me] == 1 && result.get() == 1, "went on before the task was through");
    mine.kind.set(nullptr);  // the frame ends
    mine.frame.set(2);
  }
};

constexpr const char* names[] = {"waiter", "waiter2", "waiter3"};

void all_waiters_go_on(int waiters) {
  scene s;
  {
    crew c;
    for (int i = 0; i < waiters; ++i) c.add(names[i], [&s, i] { s.wait(i); });
    c.add("runner", [&] { s.run(false); });
  }
  HOP_MODEL_CHECK(s.t.done(), "everybody went on, and it is not done");
}

// Waiters that come before it is run: only the first knows what it is.
void kind_is_kept(int waiters) {
  scene s;
  sched::waiter w[most_waiters];
  for (int i = 0; i < waiters - 1; ++i) HOP_MODEL_CHECK(s.t.add_waiter(w[i]), "it has not run");
  crew{}
      .add("waiter", [&] { static_cast<void>(s.t.add_waiter(w[waiters - 1])); })
      .add("runner", [&] { HOP_MODEL_CHECK(&s.t.kind() == &the_kind, "a task ran as something else"); })
      .join();
  int found = 0;
  for (sched::waiter* p = s.t.finish().waiters; p != nullptr; p = p->next) ++found;
  HOP_MODEL_CHECK(found == waiters, "a waiter was lost");
}

// Its owner lets go of it while it runs: one of the two frees it, when neither needs it any more.
void freed_once(bool look_first) {
  scene s;
  crew{}
      .add("owner",
           [&] {
             HOP_MODEL_CHECK(s.record.get() == 0, "freed while its owner has it");
             if ((look_first && s.t.done()) || s.t.abandon()) {
               HOP_MODEL_CHECK(s.result.get() == 1, "freed before it was through");
               s.free_record();
             }
           })
      .add("runner", [&] { s.run(true); })
      .join();
  HOP_MODEL_CHECK(s.frees == 1, "not freed");
}

// Its owner waits for it, and then lets go.
void waited_for_and_freed() {
  scene s;
  crew{}
      .add("owner",
           [&] {
             s.wait(0);
             if (s.t.done() || s.t.abandon()) s.free_record();
           })
      .add("runner", [&] { s.run(true); })
      .join();
  HOP_MODEL_CHECK(s.frees == 1, "not freed");
}

const char* const nobody = "nobody waits here; sched_task_word needs it";

const registration pieces[] = {
    registration{{.name = "sched_task_word",
                  .row = "E12",
                  .claim = "a waiter goes on once, after the task, and finds its result",
                  .body = [] { all_waiters_go_on(1); },
                  .weaken_in = {"task.hpp"},
                  .survivors = {{"done: load acquire -> relaxed",
                                 "asked when all have ended; sched_task_word_handle needs it"}}}},
    registration{{.name = "sched_task_word_two",
                  .row = "X12",
                  .claim = "two waiters both go on, and look into nobody else's frame",
                  .body = [] { all_waiters_go_on(2); },
                  .spurious = false,
                  .code_mutants = {"task: a waiter looks into the one before it", "task: a waiter replaces the others",
                                   "task: a waiter does not look whether it is done"}}},
    registration{{.name = "sched_task_word_kind",
                  .row = "E12",
                  .claim = "whoever waits before it runs, what it runs is known",
                  .body = [] { kind_is_kept(2); },
                  .code_mutants = {"task: a waiter replaces the others"}}},
    registration{{.name = "sched_task_word_freed",
                  .row = "X12",
                  .claim = "abandoned while it ends, it is freed once and by the last",
                  .body = [] { freed_once(false); },
                  .code_mutants = {"task: finish does not see that it was left alone"},
                  .weaken_in = {"task.hpp"},
                  .survivors = {{"kind: load acquire -> relaxed", nobody}}}},
    registration{{.name = "sched_task_word_handle",
                  .row = "X12",
                  .claim = "looked at and then abandoned, it is freed once",
                  .body = [] { freed_once(true); },
                  .weaken_in = {"task.hpp"},
                  .survivors = {{"kind: load acquire -> relaxed", nobody}}}},
    registration{{.name = "sched_task_word_owner",
                  .row = "E12",
                  .claim = "its owner waits and frees it while it is ending",
                  .body = waited_for_and_freed}},
    registration{{.name = "sched_task_word_sampled",
                  .row = "X12",
                  .claim = "three waiters, sampled",
                  .body = [] { all_waiters_go_on(3); },
                  .how = {.how = strategy::random, .runs = 30'000}}},
};

}  // namespace
}  // namespace hop::model
