// What belongs to one thread stays on it: pinned fibers and affine executors.
#include <hop/sched/affine.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <hop/sched/pin.hpp>
#include <hop/sched/sleep.hpp>
#include <hop/sched/this_fiber.hpp>

#include "fixture.hpp"

namespace {

using namespace std::chrono_literals;
using hop::test::with_runtime;

// A library that stops when it is called from two threads, as a GL context or a Lua state would.
class thread_bound {
 public:
  int call(int x) {
    if (owner_ == std::thread::id()) owner_ = std::this_thread::get_id();
    if (owner_ != std::this_thread::get_id()) throw std::logic_error("called from another thread");
    return sum_ += x;
  }

 private:
  std::thread::id owner_;
  int sum_ = 0;
};

HOP_TEST_F(with_runtime, E43, an_affine_executor_calls_a_thread_bound_library_from_one_thread_only) {
  const int n = static_cast<int>(hop::test::scaled(10'000, 1'000));
  hop::affine gl("gl");
  thread_bound library;
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (int i = 0; i < n; ++i) {
      all.push_back(hop::spawn([&] { static_cast<void>(gl.run([&] { return library.call(1); })); }));
    }
    for (auto& h : all) h.join();
  });
  EXPECT_EQ(gl.run([&] { return library.call(0); }), n);  // from a plain thread, too
  EXPECT_THROW(gl.run([] { throw std::runtime_error("told"); }), std::runtime_error);
}

HOP_TEST_F(with_runtime, E43, a_pinned_fiber_stays_on_its_thread_through_every_kind_of_wait) {
  const int rounds = static_cast<int>(hop::test::scaled(300, 50));
  std::atomic<int> moved{0};
  rt.run([&] {
    std::vector<hop::task_handle<void>> all;
    for (int f = 0; f < 20; ++f) {
      all.push_back(hop::spawn([&, f] {
        const hop::pin outer;
        const hop::pin inner;  // nests
        const std::thread::id home = std::this_thread::get_id();
        for (int i = 0; i < rounds; ++i) {
          hop::this_fiber::yield();
          moved += std::this_thread::get_id() != home;
          hop::spawn([] { hop::this_fiber::yield(); }).join();
          moved += std::this_thread::get_id() != home;
          if (i % 50 == f) {
            hop::sleep_for(100us);
            moved += std::this_thread::get_id() != home;
          }
        }
      }));
    }
    for (auto& h : all) h.join();
  });
  EXPECT_EQ(moved.load(), 0);
}

HOP_TEST_F(with_runtime, E43, what_is_not_pinned_goes_on_beside_a_pinned_fiber_that_never_stops_yielding) {
  std::atomic<bool> stop{false};
  auto pinned = hop::spawn([&] {
    const hop::pin here;
    while (!stop.load()) hop::this_fiber::yield();
  });
  for (int i = 0; i < 100; ++i) EXPECT_EQ(hop::spawn([i] { return i; }).join(), i);
  stop = true;
  pinned.join();
}

}  // namespace
