// The hierarchy of the runtime's own locks. A thread takes locks in rising rank only, so no cycle can form (B1).
#pragma once

#include <cstdint>

#include <hop/base/cache_line.hpp>

namespace hop::base {

// From the outermost to the innermost. A thread waits for a lock of rank r only while every lock it holds ranks below
// r. Gaps are for rooms to come; a new lock gets a name here and a line on what it guards.
enum class lock_rank : std::uint8_t {
  test_outer = 10,     // tests only
  test_inner = 20,     // tests only
  sync = 30,           // sync: the line of a mutex or event
  pool = 40,           // sched: workers and guests coming and going
  timers = 50,         // sched: one seat's timers; they are unparked under it
  spill = 60,          // sched: what did not fit a worker's deque
  blocks = 70,         // sched: free records of all threads
  stack_pool = 100,    // fiber: slabs and free stacks
  obs_registry = 200,  // obs: lists of counters and rings; leaf but for the log
  log_sink = 250,      // obs: the log's sink; innermost, anyone may log
};

[[nodiscard]] constexpr const char* to_string(lock_rank r) noexcept {
  switch (r) {
    case lock_rank::test_outer:
      return "test_outer";
    case lock_rank::test_inner:
      return "test_inner";
    case lock_rank::sync:
      return "sync";
    case lock_rank::pool:
      return "pool";
    case lock_rank::timers:
      return "timers";
    case lock_rank::spill:
      return "spill";
    case lock_rank::blocks:
      return "blocks";
    case lock_rank::stack_pool:
      return "stack_pool";
    case lock_rank::obs_registry:
      return "obs_registry";
    case lock_rank::log_sink:
      return "log_sink";
  }
  return "unknown rank";
}

#if HOP_CHECKED && !HOP_MODEL
// Called by ranked_mutex. Stops the process, naming both locks, when the order is broken. Ranks belong to the OS
// thread: a lock of the runtime is never held over a switch of stacks.
HOP_EXPORT void rank_check_before_lock(lock_rank r) noexcept;
HOP_EXPORT void rank_taken(lock_rank r) noexcept;
HOP_EXPORT void rank_released(lock_rank r) noexcept;
// How many ranked locks this thread holds; a switch asserts that it is zero.
[[nodiscard]] HOP_EXPORT int ranks_held() noexcept;
#else
inline void rank_check_before_lock(lock_rank) noexcept {}
inline void rank_taken(lock_rank) noexcept {}
inline void rank_released(lock_rank) noexcept {}
[[nodiscard]] inline int ranks_held() noexcept { return 0; }
#endif

}  // namespace hop::base
