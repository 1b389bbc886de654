// Who is to be unparked when. One heap for each seat, so that workers do not meet at a lock; the watcher lets them ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/mutex.hpp>

namespace hop::sched {

class parker;

// Lives in the frame of who waits; out of its heap before the frame goes on.
class timer {
 public:
  explicit timer(parker& who) noexcept : who_(&who) {}
  timer(const timer&) = delete;
  timer& operator=(const timer&) = delete;
  // Its time has come. Told to who waits by the unpark; asked after cancel().
  [[nodiscard]] bool rang() const noexcept { return rang_; }

 private:
  friend class timer_heap;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  parker* who_;
  std::uint32_t place_ = nowhere;  // in the heap
  bool rang_ = false;              // both by who holds the heap's lock
};

class timer_heap {
 public:
  timer_heap() = default;
  timer_heap(const timer_heap&) = delete;
  timer_heap& operator=(const timer_heap&) = delete;

  // False: no memory. True in `first`: it is the next to ring.
  [[nodiscard]] bool add(timer& t, base::instant at, bool& first) HOP_EXCLUDES(mu_);
  // After this the timer is nobody's business any more, whether it rang or not.
  void cancel(timer& t) HOP_EXCLUDES(mu_);
  // Unparks everybody whose time has come; how many.
  std::size_t ring(base::instant now) HOP_EXCLUDES(mu_);
  // When the next one rings; never, if there is none. A hint without the lock.
  [[nodiscard]] base::instant next() const {
    return base::instant{next_ns_.load(std::memory_order_relaxed)};  // order: relaxed; a hint, or behind a fence (W1)
  }
  [[nodiscard]] std::size_t size() HOP_EXCLUDES(mu_);

 private:
  struct entry {
    base::instant at;
    timer* who;
  };
  void put(std::size_t i, entry e) HOP_REQUIRES(mu_);
  void rise(std::size_t i, entry e) HOP_REQUIRES(mu_);
  void sink(std::size_t i, entry e) HOP_REQUIRES(mu_);
  void remove(std::size_t i) HOP_REQUIRES(mu_);
  void tell_next() HOP_REQUIRES(mu_);

  base::ranked_mutex mu_{base::lock_rank::timers};
  std::vector<entry> heap_ HOP_GUARDED_BY(mu_);  // four children a node: half the levels, and they share a line
  base::atomic<std::int64_t> next_ns_{base::never.ns()};
};

}  // namespace hop::sched
