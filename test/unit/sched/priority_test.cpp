// Three classes: a high task overtakes what waits, a low one is delayed and not starved; large stacks for who asks.
#include <atomic>
#include <chrono>
#include <vector>

#include <hop/sched/spawn.hpp>
#include <hop/sched/this_fiber.hpp>

#include "fixture.hpp"

namespace {

using hop::priority;
using hop::test::with_runtime;

HOP_TEST(E36, a_high_task_overtakes_a_thousand_low_ones) {
  using namespace std::chrono_literals;
  hop::runtime rt({.workers = 1, .spares = 1});
  hop::runtime* const before = hop::runtime::use(&rt);
  const int low_ones = static_cast<int>(hop::test::scaled(1000, 100));
  // A low task that has waited for 50 ms comes first, as it should. A round that took so long says nothing; another one does.
  for (bool decided = false; !decided;) {
    std::atomic<int> started{0};
    int place = -1;
    hop::base::duration took{};
    std::vector<hop::task_handle<void>> all;
    rt.run([&] {  // the one worker spawns
      const auto began = hop::base::clock::now();
      for (int i = 0; i < low_ones; ++i) all.push_back(hop::spawn([&] { ++started; }, {.level = priority::low}));
      const int earlier = started.load();  // by a relief, if the spawning took long
      all.push_back(hop::spawn(
          [&, began, earlier] {
            place = started.load() - earlier;
            took = hop::base::clock::now() - began;
          },
          {.level = priority::high}));
    });
    for (auto& h : all) h.join();
    ASSERT_EQ(started.load(), low_ones);
    decided = took < 40ms;
    if (decided) {
      EXPECT_LT(place, low_ones / 10);
    }
  }
  hop::runtime::use(before);
}

HOP_TEST_F(with_runtime, E36, a_low_task_runs_although_high_ones_keep_coming) {
  std::atomic<bool> low_ran{false};
  std::atomic<int> high_ran{0};
  rt.run([&] {
    auto low = hop::spawn([&] { low_ran = true; }, {.level = priority::low});
    // As many high ones as it takes: each brings the next.
    struct chain {
      static void link(std::atomic<bool>& done, std::atomic<int>& count) {
        ++count;
        if (done.load()) return;
        auto next = hop::spawn([&done, &count] { link(done, count); }, {.level = priority::high});
        auto other = hop::spawn([&count] { ++count; }, {.level = priority::high});
      }
    };
    auto first = hop::spawn([&] { chain::link(low_ran, high_ran); }, {.level = priority::high});
    low.join();
  });
  EXPECT_TRUE(low_ran.load());
}

HOP_TEST_F(with_runtime, E36, children_keep_the_class_of_a_parent_that_has_long_ended) {
  std::atomic<int> right{0};
  rt.run([&] {
    for (int i = 0; i < 200; ++i) {
      auto parent = hop::spawn(
          [&right] {
            auto child = hop::spawn([&right] {
              hop::this_fiber::yield();
              auto grandchild = hop::spawn(
                  [&right] { right += hop::sched::this_worker()->context->level == priority::high ? 1 : 0; });
            });
          },
          {.level = priority::high});
    }
  });
  EXPECT_EQ(right.load(), 200);
}

// A frame that only a large stack has room for.
[[gnu::noinline]] int deep() {
  volatile char frame[1 << 20];
  frame[0] = 1;
  frame[(1 << 20) - 1] = 2;
  return frame[0] + frame[(1 << 20) - 1];
}

HOP_TEST_F(with_runtime, B30, a_task_of_the_large_class_has_room_for_a_megabyte_wherever_it_runs) {
  rt.run([] {
    std::vector<hop::task_handle<int>> all;
    for (int i = 0; i < 50; ++i)
      all.push_back(hop::spawn([] { return deep(); }, {.stack = hop::fiber::stack_class::large}));
    for (auto& h : all) EXPECT_EQ(h.join(), 3);
  });
}

}  // namespace
