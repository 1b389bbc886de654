// hop::mutex: fibers park, threads sleep, on the same lock. It may be held over any wait, a join too.
#pragma once

#include <cstdint>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/intrusive_list.hpp>
#include <hop/base/mutex.hpp>

namespace hop {

namespace sched {
class parker;
}

// Not recursive. Who unlocks need not run on the thread that locked, but is the same fiber. A woken waiter competes with who
// comes along: handing the lock over in line would make every lock a switch.
class HOP_CAPABILITY("mutex") mutex {
 public:
  mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  HOP_EXPORT ~mutex();

  HOP_ALWAYS_INLINE void lock() HOP_ACQUIRE() {
    if (HOP_UNLIKELY(!try_lock())) lock_slow();
  }
  [[nodiscard]] HOP_ALWAYS_INLINE bool try_lock() HOP_TRY_ACQUIRE(true) {
    std::uint32_t expected = free;
    // order: acquire. pairs: unlock(), release. Y1: what the last holder wrote is seen.
    return word_.compare_exchange_strong(expected, held, std::memory_order_acquire, std::memory_order_relaxed);
  }
  HOP_ALWAYS_INLINE void unlock() HOP_RELEASE() {
    std::uint32_t expected = held;
    // order: release, relaxed. pairs: try_lock(), lock_slow(), acquire. Y1.
    if (HOP_UNLIKELY(
            !word_.compare_exchange_strong(expected, free, std::memory_order_release, std::memory_order_relaxed)))
      unlock_slow();
  }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;
  struct waiting : base::list_hook<> {
    sched::parker* who = nullptr;
    base::atomic<std::uint32_t> woken{0};
  };
  HOP_EXPORT HOP_NOINLINE void lock_slow() HOP_NO_TSA;
  HOP_EXPORT HOP_NOINLINE void unlock_slow();

  base::atomic<std::uint32_t> word_{free};
  base::ranked_mutex guard_{base::lock_rank::sync};
  base::intrusive_list<waiting> line_ HOP_GUARDED_BY(guard_);
};

// Holds a lock for a scope.
template <class Lock>
class HOP_SCOPED_CAPABILITY lock_guard {
 public:
  explicit lock_guard(Lock& l) HOP_ACQUIRE(l) : lock_(l) { lock_.lock(); }
  ~lock_guard() HOP_RELEASE() { lock_.unlock(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  Lock& lock_;
};

}  // namespace hop
