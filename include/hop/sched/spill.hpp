// What does not fit into a worker's deque any more: the oldest half of it, in order. The owner takes the newest back when its deque
// is empty, others take the oldest. Behind a lock: who gets here has four thousand tasks waiting.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/mutex.hpp>

namespace hop::sched {

class task;

class spill {
 public:
  spill() = default;
  spill(const spill&) = delete;
  spill& operator=(const spill&) = delete;
  HOP_EXPORT ~spill();

  // Behind what is there, oldest first. False: no memory, nothing done.
  [[nodiscard]] HOP_EXPORT bool push(task* const* tasks, std::size_t n) HOP_EXCLUDES(mu_);
  // nullptr: empty.
  [[nodiscard]] task* take_newest() { return seems_empty() ? nullptr : take(true); }
  [[nodiscard]] task* take_oldest() { return seems_empty() ? nullptr : take(false); }

  [[nodiscard]] bool seems_empty() const noexcept {
    return count_.load(std::memory_order_relaxed) == 0;  // order: relaxed; a hint, the lock decides
  }

 private:
  struct segment;
  HOP_EXPORT task* take(bool newest) HOP_EXCLUDES(mu_);

  base::ranked_mutex mu_{base::lock_rank::spill};
  segment* oldest_ HOP_GUARDED_BY(mu_) = nullptr;
  segment* newest_ HOP_GUARDED_BY(mu_) = nullptr;
  base::atomic<std::size_t> count_{0};
};

}  // namespace hop::sched
