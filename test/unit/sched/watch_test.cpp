// Who is stuck does not stop the others: blocked workers get substitutes, what they keep is taken by force, what waits gets relief.
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include <hop/sched/blocking.hpp>
#include <hop/sched/this_fiber.hpp>

#include "fixture.hpp"

namespace {

using hop::obs::counter;
using hop::test::with_runtime;

// A pipe that readers block in until let_go().
class gate {
 public:
  gate() {
    if (::pipe(ends_) != 0) std::abort();
  }
  ~gate() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  void block() const {
    char c;
    static_cast<void>(!::read(ends_[0], &c, 1));
  }
  void let_go() {
    ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

void wait_until(const std::atomic<int>& n, int wanted) {
  while (n.load() < wanted) std::this_thread::yield();
}

HOP_TEST_F(with_runtime, U9, work_goes_on_while_tasks_block_in_the_kernel_without_saying_so) {
  gate g;
  std::atomic<int> inside{0};
  std::atomic<int> others{0};
  std::vector<hop::task_handle<void>> all;
  const int blocked = static_cast<int>(hop::test::workers()) + 6;
  for (int i = 0; i < blocked; ++i) {
    all.push_back(hop::spawn([&] {
      ++inside;
      g.block();
    }));
  }
  wait_until(inside, blocked);  // each of them found a thread
  for (int i = 0; i < 100; ++i) all.push_back(hop::spawn([&] { ++others; }));
  wait_until(others, 100);
  while (rt.statistics()[counter::spares] == 0) std::this_thread::yield();  // counted once the thread has begun
  EXPECT_LE(rt.pool().threads_present(), rt.workers() + 64);
  g.let_go();
  for (auto& h : all) h.join();
  while (rt.pool().threads_present() > rt.workers()) std::this_thread::yield();  // and they go again
}

HOP_TEST_F(with_runtime, E35, a_blocking_section_is_replaced_at_once) {
  gate g;
  std::atomic<int> inside{0};
  std::atomic<int> others{0};
  std::vector<hop::task_handle<void>> all;
  const int blocked = static_cast<int>(hop::test::scaled(64, 16));
  for (int i = 0; i < blocked; ++i) {
    all.push_back(hop::spawn([&] {
      hop::blocking([&] {
        ++inside;
        g.block();
      });
    }));
  }
  wait_until(inside, std::min(blocked, 60));
  for (int i = 0; i < 100; ++i) all.push_back(hop::spawn([&] { ++others; }));
  wait_until(others, 100);
  g.let_go();
  for (auto& h : all) h.join();
}

HOP_TEST_F(with_runtime, E5, what_a_stuck_worker_keeps_is_taken_by_force) {
  for (int round = 0; round < 3; ++round) {
    gate g;
    std::atomic<int> ran{0};
    auto stuck = hop::spawn([&] {
      std::vector<hop::task_handle<void>> mine;
      for (int i = 0; i < 100; ++i) mine.push_back(hop::spawn([&] { ++ran; }));
      g.block();  // it never touches its deque until all of them have run
      for (auto& h : mine) h.join();
    });
    std::vector<hop::task_handle<void>> outside;
    for (int i = 0; i < 10; ++i) outside.push_back(hop::spawn([&] { ++ran; }));
    wait_until(ran, 110);
    g.let_go();
    stuck.join();
    for (auto& h : outside) h.join();
  }
}

HOP_TEST_F(with_runtime, E37, a_task_from_outside_starts_while_every_worker_computes) {
  std::atomic<bool> stop{false};
  std::atomic<int> computing{0};
  std::vector<hop::task_handle<void>> busy;
  for (std::size_t i = 0; i < rt.workers(); ++i) {
    busy.push_back(hop::spawn([&] {
      ++computing;
      while (!stop.load(std::memory_order_relaxed)) {
      }
    }));
  }
  wait_until(computing, static_cast<int>(rt.workers()));
  hop::spawn([] {}).join();  // nobody is free, and yet
  // Counted once the helper has begun, which may be after it was through.
  while (rt.statistics()[counter::reliefs] + rt.statistics()[counter::spares] == 0) std::this_thread::yield();
  stop = true;
  for (auto& h : busy) h.join();
}

HOP_TEST(E40, a_flat_set_of_sleeping_tasks_uses_every_worker) {
  hop::runtime rt({.workers = 16});
  std::atomic<int> now{0};
  std::atomic<int> most{0};
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (int i = 0; i < 128; ++i) {
      all.push_back(hop::spawn([&] {
        const int n = ++now;
        int seen = most.load();
        while (n > seen && !most.compare_exchange_weak(seen, n)) {
        }
        ::usleep(5'000);
        --now;
      }));
    }
    for (auto& h : all) h.join();
  });
  EXPECT_GE(most.load(), 12);
}

}  // namespace
