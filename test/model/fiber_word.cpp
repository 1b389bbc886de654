// Park and unpark: no wake is lost, no fiber runs twice, none is resumed while its stack is still in use.
#include <hop/base/atomic.hpp>
#include <hop/base/plain.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/fiber/fiber_state.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release;

// One fiber that waits for `wanted` unparks, the workers that run it and a run queue that is only a counter. Every access to
// the stack is plain: two workers on it at once, or one before the other's writes are visible, is a race.
struct little_world {
  explicit little_world(int w) : wanted(w) {}

  fiber::fiber_word word;
  static constexpr int ended = -1;
  base::atomic<int> queue{0};  // how often the fiber stands on the run queue, or `ended`
  base::atomic<int> sent{0};   // what the unparkers tell the fiber; relaxed: the word alone must publish it
  base::atomic<int> left{0};   // unparkers that will not touch the word again
  base::plain<int> stack{0};
  int wanted;

  void enqueue() {
    HOP_MODEL_CHECK(queue.fetch_add(1, memory_order_release) == 0, "the fiber is on the run queue twice");
  }

  void send() {
    sent.fetch_add(1, memory_order_relaxed);
    if (word.unpark()) enqueue();
    left.fetch_add(1, memory_order_release);
  }

  // The fiber's code, from one resume to the next switch. True when it is done.
  bool run_fiber() {
    for (;;) {
      stack.set(stack.get() + 1);
      if (sent.load(memory_order_relaxed) == wanted) {
        while (left.load(memory_order_acquire) != wanted)
          base::spin_hint();  // an unpark of a done fiber is a bug of its caller
        word.finish();
        return true;
      }
      if (word.begin_park()) return false;
    }
  }

  void work() {
    for (int n; (n = queue.load(memory_order_relaxed)) != ended;) {
      if (n == 0 || !queue.compare_exchange_strong(n, 0, memory_order_acquire, memory_order_relaxed)) {
        base::spin_hint();
        continue;
      }
      HOP_MODEL_CHECK(word.begin_run(), "queued once, run once");
      if (run_fiber()) {
        queue.store(ended, memory_order_relaxed);
      } else {
        stack.set(stack.get() + 1);  // the switch still stands on it
        if (!word.commit_park()) enqueue();
      }
    }
  }
};

void wakes_arrive(int workers, int unparkers) {
  little_world w{unparkers};
  w.stack.set(1);
  w.word.enqueue_new();
  w.enqueue();
  crew c;
  for (int i = 0; i < workers; ++i) c.add(i == 0 ? "worker" : "worker2", [&] { w.work(); });
  for (int i = 0; i < unparkers; ++i) c.add(i == 0 ? "unparker" : "unparker2", [&] { w.send(); });
  c.join();
}

// What an unparker wrote with no order at all is seen by the fiber after the park it ended.
void unpark_publishes() {
  fiber::fiber_word word{fiber::fiber_state::running};
  base::plain<int> told[2];
  const auto tell = [&](int i) {
    told[i].set(1);
    static_cast<void>(word.unpark());
  };
  crew{}
      .add("fiber",
           [&] {
             if (word.begin_park()) {
               if (word.commit_park()) {
                 while (word.state() != fiber::fiber_state::queued) base::spin_hint();
               }
               HOP_MODEL_CHECK(word.begin_run(), "queued once, run once");
             }
             HOP_MODEL_CHECK(told[0].get() == 1, "woken before the news was there");
           })
      .add("unparker", [&] { tell(0); });
}

// Two unparkers, and a fiber that looks only at its latch: both sides' news is seen when the second set nothing new.
void latch_publishes_all() {
  fiber::fiber_word word{fiber::fiber_state::running};
  base::plain<int> told[2];
  base::atomic<int> sent{0};
  const auto tell = [&](int i) {
    told[i].set(1);
    static_cast<void>(word.unpark());
    sent.fetch_add(1, memory_order_relaxed);
  };
  crew{}
      .add("fiber",
           [&] {
             while (sent.load(memory_order_relaxed) != 2) base::spin_hint();
             HOP_MODEL_CHECK(!word.begin_park(), "two unparks before the park, and it parked");
             HOP_MODEL_CHECK(told[0].get() + told[1].get() == 2, "news missing");
           })
      .add("unparker", [&] { tell(0); })
      .add("unparker2", [&] { tell(1); });
}

const char* const not_read =
    "nobody reads what the fiber wrote before its stack is left, and commit_park releases that";
const char* const continued =
    "the exchange continues the release sequence that begin_run acquires; the unparker reads nothing";

const registration pieces[] = {
    registration{
        {.name = "fiber_word",
         .row = "C22",
         .claim = "no wake lost and no stack shared: one worker, one unparker",
         .body = [] { wakes_arrive(1, 1); },
         .spurious = false,
         .code_mutants = {"fiber_word: commit overwrites an unpark", "fiber_word: unparker enqueues a parking fiber"}}},
    registration{
        {.name = "fiber_word_two_workers",
         .row = "E8",
         .claim = "run by one worker at a time",
         .body = [] { wakes_arrive(2, 1); },
         .how = {.how = strategy::bounded, .preemptions = 1},
         .spurious = false,
         .code_mutants = {"fiber_word: commit overwrites an unpark", "fiber_word: unparker enqueues a parking fiber"},
         .weaken_in = {"fiber_state.hpp"},
         .survivors = {{"enqueue_new: rmw release -> relaxed",
                        "whoever takes a fiber off a queue has acquired the queue"},
                       {"begin_run: rmw acquire -> relaxed", "the queue publishes too; fiber_word_publishes needs it"},
                       {"begin_park: rmw acq_rel -> acquire", not_read},
                       {"commit_park: failed cas acquire -> relaxed", "begin_run acquires the same store"},
                       {"unpark: rmw acq_rel -> release", continued},
                       {"finish: rmw acq_rel -> acquire", "nobody looks at a fiber that is done but to assert"},
                       {"finish: rmw acq_rel -> release", "nobody looks at a fiber that is done but to assert"}}}},
    registration{{.name = "fiber_word_sampled",
                  .row = "E8",
                  .claim = "two workers, two unparkers, sampled",
                  .body = [] { wakes_arrive(2, 2); },
                  .how = {.how = strategy::random, .runs = 50'000}}},
    registration{{.name = "fiber_word_publishes",
                  .row = "E9",
                  .claim = "unpark shows what was written before it",
                  .body = unpark_publishes,
                  .spurious = false,
                  .weaken_in = {"fiber_state.hpp"},
                  .survivors = {{"begin_park: rmw acq_rel -> acquire", not_read},
                                {"commit_park: rmw release -> relaxed",
                                 "no second worker here; fiber_word_two_workers needs it"},
                                {"commit_park: failed cas acquire -> relaxed", "begin_run acquires the same store"},
                                {"unpark: rmw acq_rel -> release", continued}}}},
    registration{{.name = "fiber_word_latch",
                  .row = "E9",
                  .claim = "a latch shows what every unparker wrote",
                  .body = latch_publishes_all,
                  .spurious = false,
                  .code_mutants = {"fiber_word: unpark of a latched word writes nothing"}}},
};

}  // namespace
}  // namespace hop::model
