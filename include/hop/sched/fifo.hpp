// A bounded queue with one producer: its owner pushes at the tail, everybody, the owner too, takes the oldest.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/mutant.hpp>

namespace hop::sched {

template <class T, std::uint32_t Capacity>
class fifo {
  static_assert(std::has_single_bit(Capacity), "hop::sched::fifo: capacity is a power of two");

 public:
  fifo() = default;
  fifo(const fifo&) = delete;
  fifo& operator=(const fifo&) = delete;

  // The owner. False: full.
  [[nodiscard]] bool push(T* t) {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);  // order: relaxed; only the owner writes it
    if (HOP_UNLIKELY(tail == room_end_)) {
      // order: acquire. pairs: take(), release. S5: the slot's last taker has read it.
      room_end_ = head_.load(std::memory_order_acquire) + Capacity;
      if (tail == room_end_ && !HOP_MUTANT("fifo: full is not looked for")) return false;
    }
    slots_[tail & mask].store(t, std::memory_order_relaxed);  // order: relaxed. pairs: the release below. S4
    // order: release. pairs: take(), acquire. S4: who takes it sees it whole.
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  // Anybody. The oldest, or nullptr.
  [[nodiscard]] T* take() {
    // order: acquire, here and where the exchange fails. pairs: take() of others, release. S1: the tail read below is not
    // older than the one that they saw, so it is never behind head.
    std::uint64_t head = head_.load(std::memory_order_acquire);
    for (;;) {
      // order: acquire. pairs: push(), release. S4: the task is seen whole.
      if (head == tail_.load(std::memory_order_acquire)) return nullptr;
      T* const t = slots_[head & mask].load(std::memory_order_relaxed);  // order: relaxed. pairs: push(). S5: see below
      if (HOP_MUTANT("fifo: the head is stored, not exchanged")) {
        head_.store(head + 1, std::memory_order_release);  // order: release; the defect
        return t;
      }
      // order: acq_rel, acquire. pairs: push() and take(). S5: read before the owner uses the slot again; it cannot have done so
      // while head stood still.
      if (head_.compare_exchange_weak(head, head + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
        if (HOP_MUTANT("fifo: the slot is read after the claim"))
          return slots_[head & mask].load(std::memory_order_relaxed);  // order: relaxed; the defect
        return t;
      }
    }
  }

  [[nodiscard]] bool empty() const {
    // order: relaxed, both; a hint.
    return head_.load(std::memory_order_relaxed) == tail_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t mask = Capacity - 1;
  alignas(base::cache_line) base::atomic<std::uint64_t> tail_{0};  // the owner's line
  std::uint64_t room_end_ = Capacity;
  alignas(base::cache_line) base::atomic<std::uint64_t> head_{0};
  alignas(base::cache_line) std::array<base::atomic<T*>, Capacity> slots_{};
};

}  // namespace hop::sched
