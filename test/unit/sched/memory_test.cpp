// A crowd of parked fibers costs little, and what it cost comes back.
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

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

}  // namespace
