// The Chase-Lev deque with the C11 orders of Le, Pop, Cohen and Zappa Nardelli, for a fixed ring. The owner pushes and pops at
// the bottom, thieves steal at the top. push() publishes with a fence: a release store there is not enough, because the relaxed
// stores of bottom_ in pop() follow it and since C++20 do not continue its release sequence (`FenceInPush` false shows it).
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>

namespace hop::model {

template <int Capacity, bool FenceInPush = true>
class chase_lev_deque {
 public:
  static constexpr int nothing = -1;

  bool push(int v) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    const std::int64_t t = top_.load(std::memory_order_acquire);
    if (b - t >= Capacity) return false;
    slot_[b % Capacity].store(v, std::memory_order_relaxed);
    if (FenceInPush) base::fence_release();
    bottom_.store(b + 1, FenceInPush ? std::memory_order_relaxed : std::memory_order_release);
    return true;
  }

  int pop() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(b, std::memory_order_relaxed);
    base::fence_seq_cst();
    std::int64_t t = top_.load(std::memory_order_relaxed);
    int v = nothing;
    if (t <= b) {
      v = slot_[b % Capacity].load(std::memory_order_relaxed);
      if (t != b) return v;
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) v = nothing;
    }
    bottom_.store(b + 1, std::memory_order_relaxed);
    return v;
  }

  int steal() {
    std::int64_t t = top_.load(std::memory_order_acquire);
    base::fence_seq_cst();
    const std::int64_t b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return nothing;
    const int v = slot_[t % Capacity].load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return nothing;
    return v;
  }

 private:
  base::atomic<std::int64_t> top_{0};
  base::atomic<std::int64_t> bottom_{0};
  base::atomic<int> slot_[static_cast<std::size_t>(Capacity)];
};

}  // namespace hop::model
