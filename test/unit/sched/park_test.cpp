// Park, unpark, yield: no wake is lost, nobody runs twice, everybody gets a turn.
#include <hop/sched/park.hpp>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <hop/base/prng.hpp>
#include <hop/sched/this_fiber.hpp>

#include "fixture.hpp"

namespace {

using hop::test::with_runtime;

HOP_TEST_F(with_runtime, C7, two_fibers_that_yield_take_turns) {
  if (hop::test::workers() != 1) return;  // with more they may run at the same time
  std::string order;
  rt.run([&] {
    auto a = hop::spawn([&] {
      for (int i = 0; i < 50; ++i) {
        order += 'a';
        hop::this_fiber::yield();
      }
    });
    auto b = hop::spawn([&] {
      for (int i = 0; i < 50; ++i) {
        order += 'b';
        hop::this_fiber::yield();
      }
    });
    a.join();
    b.join();
  });
  ASSERT_EQ(order.size(), 100u);
  for (std::size_t i = 2; i < order.size(); ++i) ASSERT_NE(order[i], order[i - 1]) << order;
}

HOP_TEST_F(with_runtime, C6, yields_of_many_fibers_all_come_back) {
  std::atomic<int> turns{0};
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (int f = 0; f < 500; ++f) {
      all.push_back(hop::spawn([&] {
        for (int i = 0; i < 20; ++i) {
          hop::this_fiber::yield();
          ++turns;
        }
      }));
    }
    for (auto& h : all) h.join();
  });
  EXPECT_EQ(turns.load(), 10'000);
}

HOP_TEST_F(with_runtime, E9, an_unpark_before_the_park_is_not_lost_and_used_up_once) {
  rt.run([] {
    hop::sched::unpark(hop::sched::this_parker());
    hop::sched::unpark(hop::sched::this_parker());
    hop::sched::park({"test"});  // at once
    hop::sched::unpark(hop::sched::this_parker());
    hop::sched::clear_unpark();
    auto& me = hop::sched::this_parker();
    auto waker = hop::spawn([&me] { hop::sched::unpark(me); });
    hop::sched::park({"test"});  // by the waker alone
    waker.join();
  });
}

// Several wakers, fibers and threads, tell one fiber a number each; it must see every one of them.
HOP_TEST_F(with_runtime, E8, wakes_from_everywhere_arrive_and_nobody_runs_twice) {
  const int messages = static_cast<int>(hop::test::scaled(20'000, 1'000));
  std::atomic<int> told{0};
  std::atomic<int> inside{0};
  std::atomic<int> left{0};
  std::atomic<hop::sched::parker*> who{nullptr};
  auto listener = hop::spawn([&] {
    who = &hop::sched::this_parker();
    while (told.load() < 4 * messages) {
      EXPECT_EQ(inside.fetch_add(1), 0) << "two on one stack";
      inside.fetch_sub(1);
      hop::sched::park({"test"});
    }
    while (left.load() < 4) hop::this_fiber::yield();  // unparking a task that has ended is its caller's mistake
  });
  while (who.load() == nullptr) std::this_thread::yield();
  std::vector<hop::task_handle<void>> fibers;
  const auto talk = [&] {
    for (int i = 0; i < messages; ++i) {
      ++told;
      hop::sched::unpark(*who.load());
      if (i % 64 == 0) hop::this_fiber::yield();
    }
    ++left;
  };
  fibers.push_back(hop::spawn(talk));
  fibers.push_back(hop::spawn(talk));
  std::thread a(talk), b(talk);
  a.join();
  b.join();
  for (auto& f : fibers) f.join();
  listener.join();
}

HOP_TEST_F(with_runtime, E10, park_if_parks_only_while_the_flag_is_as_expected) {
  const int rounds = static_cast<int>(hop::test::scaled(20'000, 2'000));
  rt.run([&] {
    for (int i = 0; i < rounds; ++i) {
      hop::base::atomic<std::uint32_t> flag{0};
      auto& me = hop::sched::this_parker();
      auto setter = hop::spawn([&flag, &me] {
        flag.store(1, std::memory_order_release);
        hop::sched::unpark(me);
      });
      while (flag.load(std::memory_order_acquire) == 0) hop::sched::park_if(flag, 0, {"flag", &flag});
      setter.join();
    }
  });
}

HOP_TEST_F(with_runtime, E11, a_thread_parks_and_a_fiber_unparks_it) {
  std::atomic<int> flag{0};
  hop::sched::parker* const me = &hop::sched::this_parker();
  auto waker = hop::spawn([&flag, me] {
    flag = 1;
    hop::sched::unpark(*me);
  });
  while (flag.load() == 0) hop::sched::park({"test"});
  waker.join();
}

HOP_TEST_F(with_runtime, C3, a_fiber_has_an_id_a_name_and_a_status_until_its_task_ends) {
  EXPECT_EQ(hop::this_fiber::id(), 0u);
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < 100; ++i) {
    ids.push_back(hop::spawn([] {
                    EXPECT_EQ(hop::this_fiber::name(), "task");
                    EXPECT_STREQ(hop::this_fiber::status(), "");
                    hop::this_fiber::name("collector");
                    hop::this_fiber::status("collecting");
                    const std::uint64_t id = hop::this_fiber::id();
                    hop::this_fiber::yield();
                    EXPECT_EQ(hop::this_fiber::name(), "collector");
                    EXPECT_STREQ(hop::this_fiber::status(), "collecting");
                    EXPECT_EQ(hop::this_fiber::id(), id);
                    return id;
                  }).join());
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
  EXPECT_NE(ids.front(), 0u);
}

}  // namespace
