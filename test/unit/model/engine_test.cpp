// One run: what ends it, what the kernel's words do, and what a finding says.
#include "support/hop_test.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/plain.hpp>
#include <hop/base/spin_hint.hpp>

#include "explore.hpp"

namespace hop::model {
namespace {

using std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst;
using outcomes = std::set<std::string>;

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

HOP_TEST(model, a_deadlock_names_everybody_and_where_they_stand) {
  const std::string found = first_finding([] {
    base::mutex a, b;
    const auto both = [](base::mutex& first, base::mutex& second) {
      first.lock();
      second.lock();
      second.unlock();
      first.unlock();
    };
    crew{}.add("left", [&] { both(a, b); }).add("right", [&] { both(b, a); });
  });
  for (const char* part :
       {"nobody can go on", "left: lock at engine_test.cpp:", "right: lock at engine_test.cpp:", "main: join"})
    EXPECT_TRUE(says(found, part)) << part << " in " << found;
}

HOP_TEST(model, a_failed_check_says_what_and_where) {
  const std::string found = first_finding([] { HOP_MODEL_CHECK(1 + 1 == 3, "sums"); });
  EXPECT_TRUE(says(found, "sums [1 + 1 == 3] at engine_test.cpp:")) << found;
}

HOP_TEST(model, an_assert_of_the_product_is_a_finding) {
  const std::string found = first_finding([] { crew{}.add("t", [] { HOP_ASSERT(false, "programmer error"); }); });
  EXPECT_TRUE(says(found, "programmer error")) << found;
}

HOP_TEST(model, an_exception_that_leaves_a_thread_is_a_finding) {
  const std::string found = first_finding([] { crew{}.add("thrower", [] { throw std::runtime_error("catch me"); }); });
  EXPECT_TRUE(says(found, "an exception left thread thrower: catch me")) << found;
}

HOP_TEST(model, a_run_without_end_is_a_finding) {
  const std::string found = first_finding(
      [] {
        base::atomic<int> x{0};
        for (;;) x.store(1, memory_order_relaxed);
      },
      {.max_steps = 100});
  EXPECT_TRUE(says(found, "no end after 100 steps")) << found;
}

HOP_TEST(model, more_threads_than_the_checker_has_is_a_finding) {
  const auto start = [](std::size_t n) {
    return first_finding([n] {
      crew c;
      for (std::size_t i = 0; i < n; ++i) c.add("t", [] {});
    });
  };
  EXPECT_EQ(start(max_threads - 1), "none");
  EXPECT_EQ(start(max_threads), "more than 8 threads in one model run");
}

void lock_only(base::mutex& m) HOP_NO_TSA { m.lock(); }
void unlock_only(base::mutex& m) HOP_NO_TSA { m.unlock(); }

HOP_TEST(model, unlocking_a_mutex_of_another_is_a_finding) {
  const std::string found = first_finding([] {
    base::mutex m;
    lock_only(m);
    crew{}.add("thief", [&] { unlock_only(m); });
  });
  EXPECT_TRUE(says(found, "does not hold the mutex")) << found;
}

// --- races -------------------------------------------------------------------------------------------------------------

HOP_TEST(model, a_write_after_the_release_is_a_race) {
  const std::string found = first_finding([] {
    base::plain<int> data{0};
    base::atomic<int> flag{0};
    crew{}
        .add("writer",
             [&] {
               flag.store(1, memory_order_release);
               data.set(1);
             })
        .add("reader", [&] {
          if (flag.load(memory_order_acquire) == 1) static_cast<void>(data.get());
        });
  });
  EXPECT_TRUE(says(found, "race: ")) << found;
}

HOP_TEST(model, a_write_after_the_unlock_is_a_race) {
  const std::string found = first_finding([] {
    base::plain<int> data{0};
    base::mutex m;
    const auto visit = [&] {
      m.lock();
      m.unlock();
      data.set(1);
    };
    crew{}.add("a", visit).add("b", visit);
  });
  EXPECT_TRUE(says(found, "race: write at engine_test.cpp:")) << found;
}

HOP_TEST(model, start_and_join_order_plain_data_and_nothing_beside_them_does) {
  EXPECT_EQ(first_finding([] {
              base::plain<int> data{0};
              data.set(1);
              crew c;
              c.add("child", [&] { data.set(data.get() + 1); });
              c.join();
              data.set(3);
            }),
            "none");
  EXPECT_TRUE(says(first_finding([] {
                     base::plain<int> data{0};
                     crew c;
                     c.add("child", [&] { data.set(1); });
                     data.set(2);
                     c.join();
                   }),
                   "race: "));
}

// A fence works through what its own thread does after it (release) or did before it (acquire); a started thread is another.
HOP_TEST(model, a_started_thread_does_not_inherit_the_fences_of_its_starter) {
  const std::string release = first_finding([] {
    base::plain<int> data{0};
    base::atomic<int> flag{0};
    crew readers;
    readers.add("reader", [&] {
      if (flag.load(memory_order_acquire) == 1) static_cast<void>(data.get());
    });
    data.set(1);
    base::fence_release();
    crew{}.add("storer", [&] { flag.store(1, memory_order_relaxed); });
  });
  EXPECT_TRUE(says(release, "race: ")) << release;
  const std::string acquire = first_finding([] {
    base::plain<int> data{0};
    base::atomic<int> flag{0};
    crew writers;
    writers.add("writer", [&] {
      data.set(1);
      flag.store(1, memory_order_release);
    });
    if (flag.load(memory_order_relaxed) == 0) return;
    crew{}.add("reader", [&] {
      base::fence_acquire();
      static_cast<void>(data.get());
    });
  });
  EXPECT_TRUE(says(acquire, "race: ")) << acquire;
}

// --- futex -------------------------------------------------------------------------------------------------------------

HOP_TEST(model, a_wait_ends_by_a_wake_or_a_changed_word_or_once_for_no_reason) {
  const auto run = [](bool spurious) {
    return explore_all(
               [] {
                 base::atomic<std::uint32_t> x{0};
                 int end = -1;
                 crew{}.add("sleeper", [&] { end = static_cast<int>(base::futex_wait(x, 0)); }).add("waker", [&] {
                   x.store(1, memory_order_relaxed);
                   base::futex_wake(x, 1);
                 });
                 return fmt::format("{} x{}", end, x.load(memory_order_relaxed));
               },
               {.spurious = spurious})
        .outcomes;
  };
  EXPECT_EQ(run(false), (outcomes{"0 x1", "1 x1"}));
  EXPECT_EQ(run(true), (outcomes{"0 x1", "1 x1"}));
}

HOP_TEST(model, a_wait_returns_for_no_reason_at_most_once_a_thread) {
  const auto found = [](int waits) {
    return first_finding([waits] {
      base::atomic<std::uint32_t> x{0};
      crew{}
          .add("sleeper",
               [&] {
                 for (int i = 0; i < waits; ++i) base::futex_wait(x, 0);
                 HOP_MODEL_CHECK(false, "awake");
               })
          .add("other", [&] {
            for (int i = 0; i < 4; ++i) x.store(0, memory_order_relaxed);
          });
    });
  };
  EXPECT_TRUE(says(found(1), "nobody can go on") || says(found(1), "awake"));
  EXPECT_TRUE(says(found(2), "nobody can go on")) << found(2);
}

HOP_TEST(model, returning_for_no_reason_does_not_hide_that_nobody_would_wake_it) {
  const std::string found = first_finding([] {
    base::atomic<std::uint32_t> x{0};
    crew{}.add("sleeper", [&] { base::futex_wait(x, 0); });
  });
  EXPECT_TRUE(says(found, "sleeper: asleep in futex_wait")) << found;
}

HOP_TEST(model, a_wake_of_one_may_wake_either_sleeper) {
  const explored e = explore_all(
      [] {
        base::atomic<std::uint32_t> x{0};
        std::string first;
        const auto sleep = [&](const char* name) {
          if (base::futex_wait(x, 0) == base::futex_end::woken && first.empty()) first = name;
          x.store(1, memory_order_relaxed);
          base::futex_wake(x, 8);
        };
        crew{}.add("a", [&] { sleep("a"); }).add("b", [&] { sleep("b"); }).add("waker", [&] {
          base::futex_wake(x, 1);
          x.store(1, memory_order_relaxed);
          base::futex_wake(x, 8);
        });
        return first;
      },
      {.spurious = false});
  EXPECT_TRUE(e.outcomes.contains("a"));
  EXPECT_TRUE(e.outcomes.contains("b"));
}

// The comparison in the kernel is a look at memory like any other: a store that no wake followed may still be under way. Here
// the poster's look at the sleepers is seq_cst and cannot be stale, so only the comparison can.
HOP_TEST(model, a_futex_wait_may_miss_a_store_that_nobody_announced) {
  const auto found = [](bool fences) {
    return first_finding([fences] {
      base::atomic<std::uint32_t> word{0};
      base::atomic<int> sleeper{0};
      crew{}
          .add("sleeper",
               [&] {
                 sleeper.store(1, memory_order_seq_cst);
                 if (fences) base::fence_seq_cst();
                 base::futex_wait(word, 0);
               })
          .add("poster", [&] {
            word.store(1, memory_order_relaxed);
            if (fences) base::fence_seq_cst();
            if (sleeper.load(memory_order_seq_cst) != 0) base::futex_wake(word, 1);
          });
    });
  };
  EXPECT_EQ(found(true), "none");
  EXPECT_TRUE(says(found(false), "nobody can go on")) << found(false);
}

HOP_TEST(model, a_store_before_a_wake_is_seen_by_every_later_wait) {
  EXPECT_EQ(first_finding([] {
              base::atomic<std::uint32_t> word{0};
              crew{}.add("sleeper", [&] { base::futex_wait(word, 0); }).add("poster", [&] {
                word.store(1, memory_order_relaxed);
                base::futex_wake(word, 1);
              });
            }),
            "none");
}

// --- time --------------------------------------------------------------------------------------------------------------

HOP_TEST(model, a_timed_wait_may_end_by_time_at_any_moment_and_moves_the_clock) {
  const explored e = explore_all([] {
    base::atomic<std::uint32_t> x{0};
    const base::instant begin = base::clock::now();
    int end = -1;
    crew{}
        .add("sleeper", [&] { end = static_cast<int>(base::futex_wait(x, 0, begin + base::duration{5})); })
        .add("waker", [&] {
          x.store(1, memory_order_relaxed);
          base::futex_wake(x, 1);
        });
    return fmt::format("{} {}", end, base::clock::now() > begin);
  });
  EXPECT_EQ(e.outcomes, (outcomes{"0 false", "1 false", "2 true"}));
}

HOP_TEST(model, a_loop_of_timed_waits_ends_when_what_it_waits_for_comes) {
  const explored e = explore_all([] {
    base::atomic<std::uint32_t> x{0};
    crew{}
        .add("sleeper",
             [&] {
               while (x.load(memory_order_relaxed) == 0) base::futex_wait(x, 0, base::clock::now() + base::duration{5});
             })
        .add("poster", [&] { x.store(1, memory_order_relaxed); });
    return "done";
  });
  EXPECT_EQ(e.outcomes, outcomes{"done"}) << e.finding.failure.value_or("");
}

HOP_TEST(model, time_passes_when_nothing_else_can_happen) {
  EXPECT_EQ(first_finding([] {
              base::atomic<std::uint32_t> x{0};
              for (int i = 0; i < 3; ++i)
                HOP_MODEL_CHECK(
                    base::futex_wait(x, 0, base::clock::now() + base::duration{5}) == base::futex_end::timed_out,
                    "time");
            }),
            "none");
}

// --- spin loops --------------------------------------------------------------------------------------------------------

HOP_TEST(model, a_spin_loop_ends_when_its_value_comes_and_is_a_finding_when_it_cannot) {
  const auto found = [](bool stored) {
    return first_finding([stored] {
      base::atomic<int> x{0};
      crew{}
          .add("spinner",
               [&] {
                 while (x.load(memory_order_relaxed) == 0) base::spin_hint();
               })
          .add("storer", [&] {
            if (stored) x.store(1, memory_order_relaxed);
          });
    });
  };
  EXPECT_EQ(found(true), "none");
  EXPECT_TRUE(says(found(false), "spinner: spin at engine_test.cpp:")) << found(false);
}

HOP_TEST(model, a_spin_loop_that_gives_up_is_seen_giving_up) {
  const auto run = [](bool spurious) {
    return explore_all(
               [] {
                 base::atomic<int> x{0};
                 bool gave_up = false;
                 crew{}
                     .add("spinner",
                          [&] {
                            for (int i = 0; i < 2 && x.load(memory_order_relaxed) == 0; ++i) {
                              gave_up = i == 1;
                              if (i == 0) base::spin_hint();
                            }
                          })
                     .add("storer", [&] { x.store(1, memory_order_relaxed); });
                 return gave_up ? "gave up" : "saw it";
               },
               {.spurious = spurious})
        .outcomes;
  };
  EXPECT_EQ(run(true), (outcomes{"gave up", "saw it"}));
  EXPECT_EQ(run(false), outcomes{"saw it"});
}

HOP_TEST(model, spinners_that_exchange_do_not_wake_each_other_for_ever) {
  EXPECT_EQ(first_finding([] {
              base::atomic<int> held{0};
              base::plain<int> inside{0};
              const auto visit = [&] {
                while (held.exchange(1, memory_order_acquire) == 1) base::spin_hint();
                inside.set(inside.get() + 1);
                held.store(0, memory_order_release);
              };
              crew{}.add("a", visit).add("b", visit);
            }),
            "none");
}

// Two looks at one word that differ: the loop turns again, whichever of the two it saw last.
HOP_TEST(model, a_loop_that_read_two_values_of_one_word_turns_again) {
  EXPECT_EQ(first_finding(
                [] {
                  base::atomic<int> x{0};
                  crew{}
                      .add("reader",
                           [&] {
                             while (x.load(memory_order_relaxed) != x.load(memory_order_relaxed)) base::spin_hint();
                           })
                      .add("writer", [&] { x.store(1, memory_order_relaxed); });
                },
                {.spurious = false}),
            "none");
}

HOP_TEST(model, a_weak_exchange_that_fails_idly_does_not_wait_for_another_word) {
  EXPECT_EQ(first_finding(
                [] {
                  base::atomic<int> x{0}, y{0};
                  crew{}.add("t", [&] {
                    for (int zero = 0; !y.compare_exchange_weak(zero, 1, memory_order_relaxed); zero = 0) {
                      static_cast<void>(x.load(memory_order_relaxed));
                      base::spin_hint();
                      static_cast<void>(x.load(memory_order_relaxed));
                      base::spin_hint();
                    }
                  });
                },
                {.spurious = true}),
            "none");
}

}  // namespace
}  // namespace hop::model
