// The searches: how many runs there are, that bounds bound, that seeds and schedules repeat.
#include "support/hop_test.hpp"

#include <fmt/format.h>

#include <hop/base/atomic.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/spin_hint.hpp>

#include "explore.hpp"
#include "little_program.hpp"

namespace hop::model {
namespace {

using std::memory_order_relaxed, std::memory_order_seq_cst;
using outcomes = std::set<std::string>;

// `threads` threads, each with `steps` stores: to its own location, or all to one.
std::string stores(int threads, int steps, bool shared) {
  base::atomic<int> x[4];
  crew c;
  for (int t = 0; t < threads; ++t) {
    c.add("t", [&, t] {
      for (int i = 0; i < steps; ++i) x[shared ? 0 : t].store(t, memory_order_relaxed);
    });
  }
  return "";
}

HOP_TEST(model, independent_steps_need_one_run) {
  for (int threads = 1; threads <= 4; ++threads)
    EXPECT_EQ(explore_all([&] { return stores(threads, 3, false); }).whole(), 1u);
}

// Of n threads with k stores each to one location every interleaving is its own trace: (nk)! / k!^n.
HOP_TEST(model, dependent_steps_need_a_run_for_each_order) {
  EXPECT_EQ(explore_all([] { return stores(2, 1, true); }).whole(), 2u);
  EXPECT_EQ(explore_all([] { return stores(2, 2, true); }).whole(), 6u);
  EXPECT_EQ(explore_all([] { return stores(2, 3, true); }).whole(), 20u);
  EXPECT_EQ(explore_all([] { return stores(3, 1, true); }).whole(), 6u);
  EXPECT_EQ(explore_all([] { return stores(3, 2, true); }).whole(), 90u);
}

// One store against n relaxed loads by one thread: the store stands in one of n + 1 places, and each load behind it that does
// not yet know better reads old or new. Place p before the end leaves n - p loads: 1 + (n - p) ways.
HOP_TEST(model, loads_against_a_store_count_as_by_hand) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    const explored e = explore_all([&] {
      base::atomic<int> x{0};
      std::string saw;
      crew{}.add("w", [&] { x.store(1, memory_order_relaxed); }).add("r", [&] {
        for (std::uint64_t i = 0; i < n; ++i) saw += fmt::format("{}", x.load(memory_order_relaxed));
      });
      return saw;
    });
    std::uint64_t ways = 0;
    for (std::uint64_t behind = 0; behind <= n; ++behind) ways += 1 + behind;
    EXPECT_EQ(e.whole(), ways);
    EXPECT_EQ(e.outcomes.size(), n + 1) << "0...01...1";
  }
}

HOP_TEST(model, store_buffering_has_four_outcomes_relaxed_and_three_seq_cst) {
  const auto run = [](std::memory_order o) {
    return explore_all([o] {
             base::atomic<int> x{0}, y{0};
             int a = 0, b = 0;
             crew{}
                 .add("a",
                      [&] {
                        x.store(1, o);
                        a = y.load(o);
                      })
                 .add("b", [&] {
                   y.store(1, o);
                   b = x.load(o);
                 });
             return fmt::format("{}{}", a, b);
           })
        .outcomes;
  };
  EXPECT_EQ(run(memory_order_relaxed), (outcomes{"00", "01", "10", "11"}));
  EXPECT_EQ(run(memory_order_seq_cst), (outcomes{"01", "10", "11"}));
}

// The reduction once took two seq_cst loads of one location for independent and lost the case in which the second thread reads
// the old value although the first could have read the new one before it.
HOP_TEST(model, two_seq_cst_readers_see_a_relaxed_store_in_either_order) {
  const little_program p{
      {{{.what = verb::load, .location = 1, .order = memory_order_seq_cst}},
       {{.what = verb::load, .location = 0}, {.what = verb::load, .location = 1, .order = memory_order_seq_cst}},
       {{.what = verb::store, .location = 1, .value = 1}, {.what = verb::store, .location = 0, .value = 2}}}};
  const explored e = explore_all([&] { return p.run(); });
  EXPECT_EQ(e.outcomes, explore_brute([&] { return p.run(); }).outcomes);
  EXPECT_TRUE(e.outcomes.contains("t0: 1 | t1: 2 0 | t2: | 2 1 "));
}

// The failure order of a compare_exchange can be the stronger one.
HOP_TEST(model, a_seq_cst_failure_order_counts_for_the_reduction) {
  const instruction cas{.what = verb::cas, .location = 0, .value = 4, .expected = 9, .fail = memory_order_seq_cst};
  const instruction fence{.what = verb::fence, .order = memory_order_seq_cst};
  const little_program p{
      {{{.what = verb::store, .location = 0, .value = 1}, fence, {.what = verb::load, .location = 1}},
       {{.what = verb::store, .location = 1, .value = 2}, cas}}};
  EXPECT_EQ(explore_all([&] { return p.run(); }).outcomes, explore_brute([&] { return p.run(); }).outcomes);
}

HOP_TEST(model, a_bound_of_no_preemptions_leaves_the_orders_of_whole_threads) {
  bounded_chooser decide{0};
  const explored e = explore(decide, [] {
    base::atomic<int> x{0};
    std::string order;
    const auto twice = [&](char name) {
      for (int i = 0; i < 2; ++i) {
        x.fetch_add(1, memory_order_relaxed);
        order += name;
      }
    };
    crew{}.add("a", [&] { twice('a'); }).add("b", [&] { twice('b'); });
    return order;
  });
  EXPECT_EQ(e.outcomes, (outcomes{"aabb", "bbaa"}));
}

HOP_TEST(model, each_preemption_allowed_adds_runs_until_all_are_made) {
  const auto run = [](std::uint32_t bound) {
    bounded_chooser decide{bound};
    return explore(decide,
                   [] {
                     base::atomic<int> x{0};
                     std::string order;
                     const auto twice = [&](char name) {
                       for (int i = 0; i < 2; ++i) {
                         x.fetch_add(1, memory_order_relaxed);
                         order += name;
                       }
                     };
                     crew{}.add("a", [&] { twice('a'); }).add("b", [&] { twice('b'); });
                     return order;
                   })
        .outcomes;
  };
  EXPECT_EQ(run(1), (outcomes{"aabb", "bbaa", "abba", "baab"}));
  EXPECT_EQ(run(2), (outcomes{"aabb", "bbaa", "abba", "baab", "abab", "baba"}));
}

HOP_TEST(model, leaving_a_thread_that_sleeps_or_spins_is_no_preemption) {
  for (const bool spins : {false, true}) {
    bounded_chooser decide{0};
    const explored e = explore(decide, [spins] {
      base::atomic<std::uint32_t> x{0};
      int turns = 0;
      base::futex_end end{};
      crew{}
          .add("waiter",
               [&] {
                 for (; x.load(memory_order_relaxed) == 0; ++turns) {
                   if (spins) {
                     base::spin_hint();
                   } else {
                     end = base::futex_wait(x, 0);
                   }
                 }
               })
          .add("poster", [&] {
            x.store(1, memory_order_relaxed);
            base::futex_wake(x, 1);
          });
      return fmt::format("{}{}", turns, end == base::futex_end::woken ? "" : " not woken");
    });
    EXPECT_EQ(e.findings, 0u) << e.finding.failure.value_or("");
    EXPECT_TRUE(e.outcomes.contains("1")) << "the poster may go while the waiter waits for the first time";
  }
}

HOP_TEST(model, a_random_search_repeats_itself_from_its_seed) {
  base::prng random{test::seed()};
  const little_program p = random_accesses(random, 8);
  const auto choices = [&](std::uint64_t seed) {
    random_chooser decide{seed, 50};
    std::vector<std::vector<std::uint32_t>> all;
    do all.push_back(engine::run([&] { static_cast<void>(p.run()); }, decide, {}).choices);
    while (decide.next_run());
    return all;
  };
  EXPECT_EQ(choices(7), choices(7));
  EXPECT_EQ(choices(7).size(), 50u);
  EXPECT_NE(choices(7), choices(8000));
}

HOP_TEST(model, a_random_search_of_no_runs_ends) {
  random_chooser decide{1, 0};
  EXPECT_FALSE(decide.next_run());
}

HOP_TEST(model, a_replay_makes_the_same_run_line_by_line) {
  base::prng random{test::seed()};
  for (int n = 0; n < 50; ++n) {
    const little_program p = random_program(random, 6);
    random_chooser sampled{random.next(), 1};
    std::string first, second;
    const run_options tracing{.tracing = true};
    const run_outcome run = engine::run([&] { first = p.run(); }, sampled, tracing);
    replay_chooser again{run.choices};
    const run_outcome repeated = engine::run([&] { second = p.run(); }, again, tracing);
    EXPECT_FALSE(again.strayed());
    EXPECT_EQ(first, second);
    EXPECT_EQ(run.trace, repeated.trace);
    EXPECT_EQ(run.choices, repeated.choices);
    EXPECT_EQ(run.failure, repeated.failure);
  }
}

HOP_TEST(model, a_replay_that_does_not_fit_says_so) {
  const auto strayed = [](std::vector<std::uint32_t> choices) {
    replay_chooser decide{std::move(choices)};
    engine::run([] { static_cast<void>(stores(1, 1, true)); }, decide, {});
    return decide.strayed();
  };
  EXPECT_FALSE(strayed({0, 1, 1, 0}));
  EXPECT_TRUE(strayed({}));
  EXPECT_TRUE(strayed({0, 1, 1})) << "too short";
  EXPECT_TRUE(strayed({0, 1, 1, 0, 0})) << "too long";
  EXPECT_TRUE(strayed({0, 1, 3, 0})) << "no such thread";
  EXPECT_TRUE(strayed({0, 1, 4'000'000'000u, 0}));
}

}  // namespace
}  // namespace hop::model
