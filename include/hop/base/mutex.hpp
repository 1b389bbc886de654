// Locks of the runtime's own house-keeping: short, never held over a park or a call into user code.
// Users' locks are hop::mutex (room sync), which parks.
#pragma once

#include <cstdint>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/lock_rank.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/spin_hint.hpp>

#if HOP_MODEL
#include "model/mutex.hpp"
#endif

namespace hop::base {

// Three states in four bytes: free, held, held with sleepers. No system call unless somebody sleeps.
// Happens-before: what a holder did before unlock() is seen by whoever takes the lock next. Not recursive, not fair.
class HOP_CAPABILITY("mutex") futex_mutex {
 public:
  futex_mutex() = default;
  futex_mutex(const futex_mutex&) = delete;
  futex_mutex& operator=(const futex_mutex&) = delete;

  void lock() HOP_ACQUIRE() {
    if (!try_lock()) lock_slow();
  }

  [[nodiscard]] bool try_lock() HOP_TRY_ACQUIRE(true) {
    std::uint32_t expected = free;
    // order: acquire. pairs: release in unlock(). B4: what the last holder wrote is seen.
    return word_.compare_exchange_strong(expected, held, std::memory_order_acquire, std::memory_order_relaxed);
  }

  void unlock() HOP_RELEASE() {
    // order: release. pairs: acquire in try_lock() and lock_slow(). B4: the next holder sees what this one wrote.
    if (word_.exchange(free, std::memory_order_release) == contended && !HOP_MUTANT("futex_mutex: unlock wakes nobody"))
      futex_wake(word_, 1);
  }

 private:
  static constexpr std::uint32_t free = 0, held = 1, contended = 2;
  static constexpr int spins = modelling ? 1 : 40;

  HOP_NOINLINE void lock_slow() HOP_NO_TSA {
    for (int i = 0; i < spins; ++i) {
      // order: relaxed; only a hint, try_lock() decides.
      if (word_.load(std::memory_order_relaxed) == free && try_lock()) return;
      spin_hint();
    }
    // From here the word is set to `contended` whenever we get the lock: we cannot know whether others sleep (B4).
    const std::uint32_t mark = HOP_MUTANT("futex_mutex: sleeper forgets to mark") ? held : contended;
    // order: acquire. pairs: release in unlock(). B4: as in try_lock().
    while (word_.exchange(mark, std::memory_order_acquire) != free) futex_wait(word_, mark);
  }

  atomic<std::uint32_t> word_{free};
};

#if HOP_MODEL
using mutex = model::mutex;
#else
using mutex = futex_mutex;
#endif

// A mutex with its place in the hierarchy (lock_rank.hpp). Out of order: the process stops and names both.
class HOP_CAPABILITY("mutex") ranked_mutex {
 public:
  explicit ranked_mutex(lock_rank r) noexcept : rank_(r) {}
  ranked_mutex(const ranked_mutex&) = delete;
  ranked_mutex& operator=(const ranked_mutex&) = delete;

  void lock() HOP_ACQUIRE() HOP_NO_TSA {
    rank_check_before_lock(rank_);
    mu_.lock();
    rank_taken(rank_);
  }
  [[nodiscard]] bool try_lock() HOP_TRY_ACQUIRE(true) HOP_NO_TSA {
    if (!mu_.try_lock()) return false;
    rank_taken(rank_);  // a try cannot deadlock, so its order is free
    return true;
  }
  void unlock() HOP_RELEASE() HOP_NO_TSA {
    rank_released(rank_);
    mu_.unlock();
  }
  [[nodiscard]] lock_rank rank() const noexcept { return rank_; }

 private:
  mutex mu_;
  lock_rank rank_;
};

// Holds `m`, which it does not own, from construction to the end of its scope.
template <class Mutex>
class HOP_SCOPED_CAPABILITY lock_guard {
 public:
  explicit lock_guard(Mutex& m) HOP_ACQUIRE(m) : m_(m) { m_.lock(); }
  ~lock_guard() HOP_RELEASE() { m_.unlock(); }
  lock_guard(const lock_guard&) = delete;
  lock_guard& operator=(const lock_guard&) = delete;

 private:
  Mutex& m_;
};

}  // namespace hop::base
