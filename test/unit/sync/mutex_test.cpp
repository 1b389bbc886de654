// hop::mutex and hop::event: fibers and threads on the same object; a lock held over a join ends well.
#include <hop/sync/mutex.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <hop/sched/this_fiber.hpp>
#include <hop/sync/event.hpp>

#include "unit/sched/fixture.hpp"

namespace {

using hop::test::with_runtime;

HOP_TEST_F(with_runtime, sync, a_mutex_lets_one_in_at_a_time_fibers_and_threads_alike) {
  const int rounds = static_cast<int>(hop::test::scaled(20'000, 1'000));
  hop::mutex m;
  std::uint64_t count = 0;
  const auto add = [&] {
    for (int i = 0; i < rounds; ++i) {
      const hop::lock_guard hold(m);
      ++count;
      if (i % 128 == 0) hop::this_fiber::yield();
    }
  };
  std::vector<hop::task_handle<void>> fibers;
  for (int i = 0; i < 6; ++i) fibers.push_back(hop::spawn(add));
  std::thread a(add), b(add);
  a.join();
  b.join();
  for (auto& f : fibers) f.join();
  EXPECT_EQ(count, 8u * static_cast<std::uint64_t>(rounds));
}

HOP_TEST_F(with_runtime, sync, a_mutex_may_be_destroyed_by_the_next_holder) {
  for (int i = 0; i < 2'000; ++i) {
    auto* m = new hop::mutex;
    m->lock();
    auto other = hop::spawn([m] {
      m->lock();
      m->unlock();
      delete m;
    });
    m->unlock();
    other.join();
  }
}

HOP_TEST_F(with_runtime, sync, an_event_wakes_everybody_and_may_die_with_its_waiter) {
  for (int i = 0; i < 500; ++i) {
    int value = 0;
    std::atomic<int> seen{0};
    {
      hop::event ready;
      std::vector<hop::task_handle<void>> all;
      for (int k = 0; k < 4; ++k) {
        all.push_back(hop::spawn([&] {
          ready.wait();
          seen += value;
        }));
      }
      auto setter = hop::spawn([&] {
        value = 1;
        ready.set();
      });
      ready.wait();
      for (auto& h : all) h.join();
      setter.join();
    }
    ASSERT_EQ(seen.load(), 4);
  }
}

// The three programs that hang where a join runs unrelated work on top of itself: a worker that holds a lock picks up a task that
// wants the same lock.

std::uint64_t inner(int n) {
  if (n < 2) return 1;
  auto [a, b] = hop::join([n] { return inner(n - 1); }, [n] { return inner(n - 2); });
  return a + b;
}

HOP_TEST_F(with_runtime, U8, a_lock_held_over_a_join_does_not_hang) {  // the shape of rayon#592
  const int n = static_cast<int>(hop::test::scaled(12, 8));
  hop::mutex m;
  std::uint64_t sum = 0;
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (int i = 0; i < 200; ++i) {
      all.push_back(hop::spawn([&] {
        const hop::lock_guard hold(m);
        sum += inner(n);
      }));
    }
    for (auto& h : all) h.join();
  });
  EXPECT_EQ(sum, 200 * inner(n));
}

HOP_TEST_F(with_runtime, U8,
           a_value_made_once_under_a_lock_with_nested_joins_does_not_hang) {  // the shape of oneTBB#1316
  const int n = static_cast<int>(hop::test::scaled(12, 8));
  for (int round = 0; round < 50; ++round) {
    hop::mutex once;
    bool made = false;
    std::uint64_t value = 0;
    const auto get = [&] {
      const hop::lock_guard hold(once);
      if (!made) {
        value = inner(n);
        made = true;
      }
      return value;
    };
    const auto [a, b, c, d] = hop::join(get, get, get, get);
    ASSERT_EQ(a + b + c + d, 4 * inner(n));
  }
}

HOP_TEST_F(with_runtime, U8, a_task_that_waits_inside_a_task_that_waits_does_not_hang) {  // the shape of taskflow#522
  hop::mutex m;
  std::atomic<int> ended{0};
  rt.run([&] {
    std::vector<hop::task_handle<void>> outer;
    for (int i = 0; i < 32; ++i) {
      outer.push_back(hop::spawn([&] {
        std::vector<hop::task_handle<void>> mine;
        for (int k = 0; k < 8; ++k) {
          mine.push_back(hop::spawn([&] {
            const hop::lock_guard hold(m);
            hop::spawn([&] { ++ended; }).join();
          }));
        }
        for (auto& h : mine) h.join();
      }));
    }
    for (auto& h : outer) h.join();
  });
  EXPECT_EQ(ended.load(), 256);
}

}  // namespace
