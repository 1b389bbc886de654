// An overflowed fiber stack is named before the process ends; without this it is a plain SIGSEGV.
#pragma once

#include <cstddef>

#include <hop/base/cache_line.hpp>
#include <hop/base/result.hpp>

namespace hop::fiber {

// Process-wide, once; later calls do nothing. SIGSEGV and SIGBUS: a touched guard below the running stack prints which fiber
// it was and aborts (status 134); every other fault goes to the handler that was there before.
// Threads that run fibers need a signal_stack.
HOP_EXPORT void install_overflow_handler() noexcept;

// The stack a thread's signal handlers run on, since the overflowed one has no room. Put one on each thread that runs
// fibers, and destroy it there; what was set before is set again.
class HOP_EXPORT signal_stack {
 public:
  [[nodiscard]] static result<signal_stack> put_on() noexcept;
  signal_stack(signal_stack&& o) noexcept;
  signal_stack& operator=(signal_stack&&) = delete;
  ~signal_stack();

 private:
  signal_stack() = default;

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  void* old_low_ = nullptr;  // what was there before; nullptr: nothing
  std::size_t old_bytes_ = 0;
};

}  // namespace hop::fiber
