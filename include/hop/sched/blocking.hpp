// hop::blocking(f): foreign code that will block this thread in the kernel. Without the mark it is found out, a little later.
#pragma once

#include <utility>

#include <hop/base/cache_line.hpp>
#include <hop/sched/join.hpp>

namespace hop {

namespace sched {

// What we have is for others, and somebody may take our place, for the length of a scope. No park inside it.
class blocking_section {
 public:
  HOP_EXPORT blocking_section();
  HOP_EXPORT ~blocking_section();
  blocking_section(const blocking_section&) = delete;
  blocking_section& operator=(const blocking_section&) = delete;

 private:
  worker* worker_;
};

}  // namespace sched

// Calls f here and returns what it returns. f may block the thread; it must not wait for a fiber.
template <task_body F>
decltype(auto) blocking(F&& f) {
  const sched::blocking_section here;
  return std::forward<F>(f)();
}

}  // namespace hop
