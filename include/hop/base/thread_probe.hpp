// What another thread is doing, as the kernel sees it: whether its CPU clock moves, and whether it could run.
#pragma once

#include <cstdint>
#include <ctime>

#include <hop/base/cache_line.hpp>

namespace hop::base {

// Taken on the thread itself; asked by others while it lives. Under the model there is none.
class thread_probe {
 public:
  thread_probe() = default;
  // Of the thread that runs this.
  [[nodiscard]] HOP_EXPORT static thread_probe of_this_thread() noexcept;

  [[nodiscard]] bool valid() const noexcept { return tid_ != 0; }
  // Nanoseconds of CPU it has used; less than a microsecond a call.
  [[nodiscard]] HOP_EXPORT std::int64_t cpu_ns() const noexcept;
  // True: it waits in the kernel (a system call, a page fault). False: it runs, or could. Reads /proc, some microseconds.
  [[nodiscard]] HOP_EXPORT bool waits_in_kernel() const noexcept;

 private:
  int tid_ = 0;
  clockid_t clock_ = 0;
};

}  // namespace hop::base
