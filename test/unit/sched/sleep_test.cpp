// Timed and interruptible waits: they end on time or when called off, and leave nothing behind.
#include <hop/sched/sleep.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <hop/base/prng.hpp>
#include <hop/sched/cancel_scope.hpp>
#include <hop/sched/park.hpp>
#include <hop/sched/this_fiber.hpp>

#include "fixture.hpp"

namespace {

using namespace std::chrono_literals;
using hop::test::with_runtime;

HOP_TEST_F(with_runtime, C25, a_timer_rings_on_an_idle_runtime) {
  rt.run([] {
    for (int i = 0; i < 5; ++i) {
      const auto before = hop::base::clock::now();
      hop::sleep_for(20ms);
      EXPECT_GE(hop::base::clock::now() - before, 20ms);
    }
  });
}

HOP_TEST_F(with_runtime, C25, a_sleep_in_the_past_and_of_nothing_return) {
  rt.run([] {
    hop::sleep_for(0ns);
    hop::sleep_for(-5s);
    hop::sleep_until(hop::instant{1});
  });
  hop::sleep_for(1ms);  // a plain thread, too
}

HOP_TEST_F(with_runtime, C25, many_sleepers_wake_not_before_their_time) {
  const std::size_t n = hop::test::scaled(10'000, 1'000);
  hop::base::prng random(hop::test::seed());
  std::atomic<int> early{0};
  std::atomic<std::size_t> woke{0};
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (std::size_t i = 0; i < n; ++i) {
      const auto d = std::chrono::microseconds(random.below(30'000));
      all.push_back(hop::spawn([&, d] {
        const auto until = hop::base::clock::now() + d;
        hop::sleep_until(until);
        if (hop::base::clock::now() < until) ++early;
        ++woke;
      }));
    }
    for (auto& h : all) h.join();
  });
  EXPECT_EQ(early.load(), 0);
  EXPECT_EQ(woke.load(), n);
}

HOP_TEST_F(with_runtime, sched, a_timed_park_says_whether_it_was_unparked_or_its_time_came) {
  rt.run([] {
    EXPECT_EQ(hop::sched::park_until(hop::base::clock::now() + 2ms, {"test"}), hop::errc::timed_out);
    auto& me = hop::sched::this_parker();
    auto waker = hop::spawn([&me] { hop::sched::unpark(me); });
    EXPECT_EQ(hop::sched::park_until(hop::base::clock::now() + 60s, {"test"}), hop::errc::ok);
    waker.join();
  });
}

// A wake and a time-out at the same moment: the wait ends once, and the timer is gone either way.
HOP_TEST_F(with_runtime, sched, unparks_race_with_timers) {
  const int rounds = static_cast<int>(hop::test::scaled(2'000, 300));
  hop::base::prng random(hop::test::seed());
  std::atomic<int> ended{0};
  rt.run([&] {
    for (int i = 0; i < rounds; ++i) {
      auto& me = hop::sched::this_parker();
      auto waker = hop::spawn([&me] { hop::sched::unpark(me); });
      const auto e =
          hop::sched::park_until(hop::base::clock::now() + std::chrono::nanoseconds(random.below(30'000)), {"test"});
      EXPECT_TRUE(e == hop::errc::ok || e == hop::errc::timed_out);
      waker.join();
      hop::sched::clear_unpark();
      ++ended;
    }
  });
  EXPECT_EQ(ended.load(), rounds);
  for (std::size_t i = 0; i < rt.pool().worker_seats(); ++i) {
    if (auto* const w = rt.pool().seat(i)) {
      EXPECT_EQ(w->alarms.size(), 0u);
    }
  }
}

HOP_TEST_F(with_runtime, sched, cancelling_a_scope_wakes_everybody_who_sleeps_below_it) {
  std::atomic<int> told{0};
  std::atomic<int> asleep{0};
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (int i = 0; i < 50; ++i) {
      all.push_back(hop::spawn([&] {
        ++asleep;
        try {
          hop::sleep_for(1h);
        } catch (const hop::cancelled&) {
          ++told;
          EXPECT_TRUE(hop::this_fiber::cancelled());
          EXPECT_THROW(hop::sleep_for(1h), hop::cancelled);  // and so does every later wait
        }
      }));
    }
    while (asleep.load() != 50) hop::this_fiber::yield();
    hop::this_fiber::scope()->cancel();
    for (auto& h : all) h.join();
  });
  EXPECT_EQ(told.load(), 50);
}

HOP_TEST(sched, a_scope_below_a_cancelled_one_is_cancelled_and_siblings_are_not) {
  hop::cancel_scope root;
  hop::cancel_scope left(&root), right(&root);
  hop::cancel_scope leaf(&left);
  left.cancel();
  EXPECT_TRUE(left.cancelled());
  EXPECT_TRUE(leaf.cancelled());
  EXPECT_FALSE(root.cancelled());
  EXPECT_FALSE(right.cancelled());
  hop::cancel_scope late(&leaf);
  EXPECT_TRUE(late.cancelled());
  left.cancel();  // again
}

HOP_TEST(sched, scopes_come_and_go_while_their_root_is_cancelled) {
  for (int round = 0; round < 200; ++round) {
    hop::cancel_scope root;
    std::vector<std::thread> threads;
    std::atomic<bool> stop{false};
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        bool was = false;
        while (!was || !stop.load()) {
          hop::cancel_scope child(&root);
          hop::cancel_scope grandchild(&child);
          EXPECT_TRUE(!was || grandchild.cancelled());
          was = was || child.cancelled();
          if (was) break;
        }
      });
    }
    root.cancel();
    stop = true;
    for (auto& t : threads) t.join();
  }
}

}  // namespace
