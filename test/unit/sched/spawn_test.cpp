// hop::spawn: every task runs once, and whoever wants to waits for it.
#include <hop/sched/spawn.hpp>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <hop/sched/this_fiber.hpp>

#include "fixture.hpp"

namespace {

using hop::test::with_runtime;

HOP_TEST_F(with_runtime, C29, every_spawned_task_runs_once_and_its_result_arrives) {
  const std::size_t n = hop::test::scaled(100'000, 4'000);
  std::vector<std::atomic<int>> runs(n);
  const std::size_t sum = rt.run([&] {
    std::vector<hop::task_handle<std::size_t>> handles;
    handles.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      handles.push_back(hop::spawn([i, &runs] {
        ++runs[i];
        return i;
      }));
    }
    std::size_t total = 0;
    for (auto& h : handles) total += h.join();
    return total;
  });
  EXPECT_EQ(sum, n * (n - 1) / 2);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(runs[i].load(), 1) << i;
}

HOP_TEST_F(with_runtime, C29, what_a_task_was_given_outlives_its_spawner) {
  std::atomic<int> seen{0};
  rt.run([&] {
    hop::task_handle<void> inner;
    hop::spawn([&] {
      auto value = std::make_unique<int>(41);
      inner = hop::spawn([v = std::move(value), &seen] { seen = *v + 1; });
    }).join();
    inner.join();
  });
  EXPECT_EQ(seen.load(), 42);
}

HOP_TEST_F(with_runtime, C23, run_returns_when_everything_spawned_under_it_has_ended) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> ended{0};
    rt.run([&] {
      for (int i = 0; i < 10; ++i) {
        auto dropped = hop::spawn([&] {
          hop::this_fiber::yield();
          auto also = hop::spawn([&] { ++ended; });
          ++ended;
        });
      }
    });
    ASSERT_EQ(ended.load(), 20) << round;
  }
}

HOP_TEST_F(with_runtime, X12, a_hundred_joiners_fibers_and_threads_all_go_on) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> go{0};
    std::atomic<int> arrived{0};
    auto target = hop::spawn([&] {
      while (go.load() == 0) hop::this_fiber::yield();
    });
    std::vector<std::thread> threads;
    for (int i = 0; i < 10; ++i) {
      threads.emplace_back([&] {
        target.wait();
        ++arrived;
      });
    }
    std::vector<hop::task_handle<void>> fibers;
    for (int i = 0; i < 90; ++i) {
      fibers.push_back(hop::spawn([&] {
        target.wait();
        ++arrived;
      }));
    }
    go = 1;
    for (auto& f : fibers) f.join();
    for (auto& t : threads) t.join();
    EXPECT_EQ(arrived.load(), 100);
  }
}

HOP_TEST_F(with_runtime, X10, an_exception_reaches_who_joins) {
  rt.run([] {
    auto h = hop::spawn([]() -> int { throw std::runtime_error("told"); });
    EXPECT_THROW(static_cast<void>(h.join()), std::runtime_error);
  });
}

HOP_TEST(X10, an_exception_that_nobody_joins_ends_the_process_with_its_words) {
  EXPECT_DEATH(
      {
        hop::runtime rt({.workers = 1});
        rt.run([] { auto dropped = hop::spawn([] { throw std::runtime_error("nobody hears me"); }); });
      },
      "nobody joins ended with an exception: nobody hears me");
}

HOP_TEST_F(with_runtime, E12, a_thread_joins_a_fiber_that_waits_for_another) {
  for (int i = 0; i < 200; ++i) {
    auto outer = hop::spawn([i] {
      auto inner = hop::spawn([i] {
        hop::this_fiber::yield();
        return i;
      });
      return inner.join() + 1;
    });
    ASSERT_EQ(outer.join(), i + 1);
  }
}

HOP_TEST_F(with_runtime, E32, what_was_spawned_has_ended_and_what_parked_has_gone_on) {
  rt.run([] {
    std::vector<hop::task_handle<void>> all;
    for (int i = 0; i < 1000; ++i) all.push_back(hop::spawn([] { hop::this_fiber::yield(); }));
    for (auto& h : all) h.join();
  });
  const auto s = rt.statistics();
  EXPECT_EQ(s[hop::obs::counter::tasks_spawned], 1000u);
  EXPECT_EQ(s[hop::obs::counter::tasks_finished], 1000u);
  EXPECT_EQ(s[hop::obs::counter::parks], s[hop::obs::counter::unparks]);
}

HOP_TEST(B18, a_runtime_can_be_made_and_destroyed_over_and_over) {
  const std::size_t rounds = hop::test::scaled(hop::test::full() ? 10'000 : 500, 50);
  for (std::size_t i = 0; i < rounds; ++i) {
    hop::runtime rt({.workers = hop::test::workers(), .guests = 1});
    if (i % 2 == 0) {
      ASSERT_EQ(rt.run([] { return 7; }), 7);
    }
  }
}

HOP_TEST(C26, a_runtime_with_work_under_way_ends_when_it_is_through) {
  for (int i = 0; i < 100; ++i) {
    std::atomic<int> ran{0};
    {
      hop::runtime rt({.workers = hop::test::workers(), .guests = 1});
      hop::runtime::use(&rt);
      for (int k = 0; k < 20; ++k) {
        auto dropped = hop::spawn([&ran] {
          hop::this_fiber::yield();
          ++ran;
        });
      }
      hop::runtime::use(nullptr);
    }
    ASSERT_EQ(ran.load(), 20);
  }
}

}  // namespace
