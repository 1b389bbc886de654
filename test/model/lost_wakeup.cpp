// A sleeper and a waker over a futex: announce, look again, sleep. Each step left out loses a wake-up.
#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/plain.hpp>
#include <hop/base/spsc_ring.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using std::memory_order_relaxed;

struct doorbell {
  base::atomic<std::uint32_t> asleep{0};
  base::atomic<int> work{0};

  void sleep() {
    while (work.load(memory_order_relaxed) == 0) {
      if (!HOP_MUTANT("doorbell: no announcement")) asleep.store(1, memory_order_relaxed);
      if (!HOP_MUTANT("doorbell: sleeper has no fence")) base::fence_seq_cst();
      if (HOP_MUTANT("doorbell: no second look") || work.load(memory_order_relaxed) == 0) base::futex_wait(asleep, 1);
      asleep.store(0, memory_order_relaxed);
    }
  }
  void post() {
    work.store(1, memory_order_relaxed);
    if (!HOP_MUTANT("doorbell: poster has no fence")) base::fence_seq_cst();
    if (asleep.load(memory_order_relaxed) == 0) return;
    if (!HOP_MUTANT("doorbell: word not changed")) asleep.store(0, memory_order_relaxed);
    base::futex_wake(asleep, 1);
  }
};

void posted_work_is_found() {
  doorbell d;
  crew{}.add("sleeper", [&] { d.sleep(); }).add("poster", [&] { d.post(); });
}

// Flag and signal without the lock: the sleeper tests, the poster sets and wakes, the sleeper sleeps.
void flag_without_recheck() {
  base::atomic<int> flag{0};
  base::atomic<std::uint32_t> word{0};
  crew{}
      .add("sleeper",
           [&] {
             if (flag.load(memory_order_relaxed) == 0) base::futex_wait(word, 0);
           })
      .add("poster", [&] {
        flag.store(1, memory_order_relaxed);
        base::futex_wake(word, 1);
      });
}

// An event count: the word moves with every post, so the kernel's comparison is the second look. The poster's fence orders its
// store before its look at the sleepers; without it the comparison sees a word whose store is still under way.
struct event_count {
  base::atomic<std::uint32_t> posts{0};
  base::atomic<int> sleepers{0};

  void await() {
    sleepers.store(1, memory_order_relaxed);
    if (!HOP_MUTANT("event_count: sleeper has no fence")) base::fence_seq_cst();
    while (posts.load(memory_order_relaxed) == 0) base::futex_wait(posts, 0);
  }
  void post() {
    posts.store(1, memory_order_relaxed);
    if (!HOP_MUTANT("event_count: poster has no fence")) base::fence_seq_cst();
    if (sleepers.load(memory_order_relaxed) != 0 && !HOP_MUTANT("event_count: poster wakes nobody"))
      base::futex_wake(posts, 1);
  }
};

void posts_are_seen() {
  event_count c;
  crew{}.add("sleeper", [&] { c.await(); }).add("poster", [&] { c.post(); });
}

void futex_mutex_excludes(int threads, int rounds) {
  base::futex_mutex m;
  base::plain<int> inside{0};
  {
    crew c;
    for (int i = 0; i < threads; ++i) {
      c.add(i == 0   ? "a"
            : i == 1 ? "b"
                     : "c",
            [&] {
              for (int k = 0; k < rounds; ++k) {
                const base::lock_guard hold{m};
                inside.set(inside.get() + 1);
              }
            });
    }
  }
  HOP_MODEL_CHECK(inside.get() == threads * rounds, "an increment was lost");
}

// Three values through a ring of two: all, once, in order.
void spsc_ring_in_order() {
  base::spsc_ring<int, 2> r;
  int next = 0;
  crew{}
      .add("producer",
           [&] {
             for (int i = 0; i < 3; ++i)
               while (!r.try_push(i)) base::spin_hint();
           })
      .add("consumer", [&] {
        while (next < 3) {
          if (auto v = r.try_pop()) {
            HOP_MODEL_CHECK(*v == next, "a value came twice or out of order");
            ++next;
          } else {
            base::spin_hint();
          }
        }
      });
}

const registration pieces[] = {
    registration{
        {.name = "doorbell",
         .row = "X4",
         .claim = "posted work is found by the sleeper",
         .body = posted_work_is_found,
         .code_mutants = {"doorbell: no announcement", "doorbell: sleeper has no fence", "doorbell: no second look",
                          "doorbell: poster has no fence", "doorbell: word not changed"}}},
    registration{{.name = "doorbell_flag_only",
                  .row = "X4",
                  .claim = "flag and signal without the lock lose a wake",
                  .body = flag_without_recheck,
                  .must_find = "nobody can go on"}},
    registration{{.name = "event_count",
                  .row = "X4",
                  .claim = "the kernel's comparison is a second look",
                  .body = posts_are_seen,
                  .code_mutants = {"event_count: sleeper has no fence", "event_count: poster has no fence",
                                   "event_count: poster wakes nobody"}}},
    registration{{.name = "futex_mutex",
                  .row = "base",
                  .claim = "B4 one holder, nobody left asleep",
                  .body = [] { futex_mutex_excludes(2, 2); },
                  .code_mutants = {"futex_mutex: unlock wakes nobody", "futex_mutex: sleeper forgets to mark"},
                  .weaken_in = {"mutex.hpp"}}},
    registration{{.name = "futex_mutex_three",
                  .row = "base",
                  .claim = "B4 with three threads, sampled",
                  .body = [] { futex_mutex_excludes(3, 2); },
                  .how = {.how = strategy::random, .runs = 30'000}}},
    registration{{.name = "spsc_ring",
                  .row = "base",
                  .claim = "B5 every value once, whole, in order",
                  .body = spsc_ring_in_order,
                  .weaken_in = {"spsc_ring.hpp"}}},
};

}  // namespace
}  // namespace hop::model
