// A crowd of parked fibers costs little, and what it cost comes back.
#include <unistd.h>

#include <array>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include <hop/sched/this_fiber.hpp>
#include <hop/sync/event.hpp>

#include "fixture.hpp"
#include "unit/fiber/process_memory.hpp"

namespace {

using hop::test::with_runtime;

HOP_TEST_F(with_runtime, E41, memory_comes_back_after_a_crowd_of_parked_fibers) {
  const std::size_t n = hop::test::scaled(200'000, 2'000);
  const auto crowd = [&](std::size_t count) {
    hop::event go;
    std::atomic<std::size_t> waiting{0};
    std::vector<hop::task_handle<void>> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(hop::spawn([&] {
        ++waiting;
        go.wait();
      }));
    }
    while (waiting.load() != count) std::this_thread::yield();
    go.set();
    for (auto& h : all) h.join();
  };
  crowd(n / 100);  // caches and the allocator's arenas are there before the first look
  const auto before = hop::fiber::test::memory_used();
  crowd(n);
  const auto stacks = [this] { return rt.pool().stacks().statistics().of(hop::fiber::stack_class::small); };
  EXPECT_GE(stacks().peak, n);
  while (stacks().slabs_renewed + stacks().stacks_discarded == 0) ::usleep(10'000);  // after a second of rest
  EXPECT_LE(stacks().handed_out, (rt.workers() + 64) * 128) << "stacks kept at hand by workers";
  if (hop::test::scaled(1, 0) == 0) return;  // a sanitizer keeps memory of its own for every stack there ever was
  // Records of tasks and handles went through the C library's allocator, which keeps what it likes: a few hundred bytes each.
  const std::size_t bound = before + before / 10 + n * 256;
  std::size_t after = hop::fiber::test::memory_used();
  for (int i = 0; i < 50 && after > bound; ++i) {  // five seconds
    ::usleep(100'000);
    after = hop::fiber::test::memory_used();
  }
  EXPECT_LE(after, bound) << "before " << before;
}

// More tasks that want a large stack, and wait on it, than there are large stacks: the rest wait their turn and nobody hangs.
HOP_TEST_F(with_runtime, sched, tasks_wait_their_turn_when_every_large_stack_is_in_use) {
  std::vector<hop::fiber::stack> all;
  auto& stacks = rt.pool().stacks();
  for (;;) {  // all but a few are taken away
    std::array<hop::fiber::stack, 64> some;
    const auto got = stacks.acquire(hop::fiber::stack_class::large, some);
    if (!got) break;
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(*got));
    if (all.size() >= stacks.statistics().of(hop::fiber::stack_class::large).reserved) break;
  }
  stacks.release(std::span(all).last(16));
  all.resize(all.size() - 16);
  std::atomic<int> ended{0};
  hop::event go;
  std::vector<hop::task_handle<void>> tasks;
  for (int i = 0; i < 200; ++i) {
    tasks.push_back(hop::spawn(
        [&] {
          go.wait();
          ++ended;
        },
        {.stack = hop::fiber::stack_class::large}));
  }
  while (rt.statistics()[hop::obs::counter::stack_waits] == 0) std::this_thread::yield();
  EXPECT_EQ(hop::spawn([] { return 7; }).join(), 7);  // others go on meanwhile
  go.set();
  for (auto& t : tasks) t.join();
  EXPECT_EQ(ended.load(), 200);
  stacks.release(all);
}

HOP_TEST_F(with_runtime, sched, what_a_run_spawns_has_an_ordinary_stack_and_what_it_joins_a_large_one) {
  rt.run([] {
    const auto my_class = [] { return hop::sched::this_worker()->current->self->where().cls; };
    EXPECT_EQ(my_class(), hop::fiber::stack_class::large);
    EXPECT_EQ(hop::spawn([&] { return my_class(); }).join(), hop::fiber::stack_class::small);
    for (int i = 0; i < 100; ++i) {
      const auto [a, b] = hop::join([&] { return my_class(); }, [&] { return my_class(); });
      EXPECT_EQ(a, hop::fiber::stack_class::large);
      EXPECT_EQ(b, hop::fiber::stack_class::large);
    }
  });
}

}  // namespace
