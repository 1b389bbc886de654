// hop::join: both halves run once, results and exceptions arrive, from fibers, guests and plain threads.
#include <hop/sched/join.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace {

using hop::test::with_runtime;

std::uint64_t fib(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  auto [a, b] = hop::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

HOP_TEST_F(with_runtime, E1, the_same_function_joins_from_a_thread_a_fiber_and_a_task) {
  const std::size_t n = hop::test::scaled(25, 18);
  const auto plain = fib(static_cast<int>(n));  // this thread is no worker
  EXPECT_EQ(rt.run([n] { return fib(static_cast<int>(n)); }), plain);
  EXPECT_EQ(hop::spawn([n] { return fib(static_cast<int>(n)); }).join(), plain);
  EXPECT_EQ(plain, n == 25 ? 75025u : 2584u);
}

HOP_TEST_F(with_runtime, B2, an_outside_thread_takes_part_in_its_own_join) {
  // Without a worker's help the first half must run here; which it always does, on this very thread.
  const std::thread::id me = std::this_thread::get_id();
  auto [first, second] =
      hop::join([] { return std::this_thread::get_id(); }, [] { return std::this_thread::get_id(); });
  EXPECT_EQ(first, me);
  static_cast<void>(second);
}

HOP_TEST_F(with_runtime, B2, results_of_every_kind_arrive) {
  auto [text, none, number] = hop::join([] { return std::string("text"); }, [] {}, [] { return 42; });
  EXPECT_EQ(text, "text");
  EXPECT_EQ(none, hop::nothing{});
  EXPECT_EQ(number, 42);
  auto [owner, one] = hop::join([] { return std::make_unique<int>(7); }, [] { return 1; });
  EXPECT_EQ(*owner + one, 8);
}

struct counted {
  static inline std::atomic<int> alive{0};
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted(counted&&) noexcept { ++alive; }
  ~counted() { --alive; }
};

HOP_TEST_F(with_runtime, C31, an_exception_of_either_half_arrives_once_and_nothing_leaks) {
  for (int round = 0; round < 300; ++round) {
    const int which = round % 3;
    rt.run([which] {
      bool caught = false;
      try {
        hop::join(
            [which] {
              if (which != 1) throw std::runtime_error("first");
              return counted();
            },
            [which] {
              if (which != 0) throw std::runtime_error("second");
              return counted();
            });
      } catch (const std::runtime_error& e) {
        caught = true;
        EXPECT_STREQ(e.what(), which == 1 ? "second" : "first");
      }
      EXPECT_TRUE(caught);
    });
  }
  EXPECT_EQ(counted::alive.load(), 0);
}

HOP_TEST_F(with_runtime, B28, many_outside_threads_join_at_once) {
  const int n = static_cast<int>(hop::test::scaled(20, 12));
  const auto right = fib(n);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      hop::runtime::use(&rt);
      for (int i = 0; i < 20; ++i) wrong += fib(n) != right;
      hop::runtime::use(nullptr);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
}

HOP_TEST(B28, more_outside_threads_than_seats_still_get_their_answers) {
  hop::runtime small({.workers = hop::test::workers(), .guests = 2});
  const auto right = fib(10);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      hop::runtime::use(&small);
      for (int i = 0; i < 50; ++i) wrong += fib(10) != right;
      hop::runtime::use(nullptr);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0);
}

// A chain as deep as the deque is long: the first half descends, the second waits in the deque at every level.
std::uint64_t descend(std::uint64_t n) {
  if (n == 0) return 0;
  auto [deep, one] = hop::join([n] { return descend(n - 1); }, [] { return std::uint64_t{1}; });
  return deep + one;
}

HOP_TEST_F(with_runtime, E5, a_full_deque_spills_and_loses_nothing) {
  const std::uint64_t depth = hop::test::scaled(10'000, 5'000);
  EXPECT_EQ(rt.run([depth] { return descend(depth); }), depth);
  if (hop::test::workers() == 1) {
    EXPECT_GT(rt.statistics()[hop::obs::counter::spills], 0u);
  }
}

}  // namespace
