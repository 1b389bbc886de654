// spsc_ring<T, N>: a bounded FIFO between one producer and one consumer thread. No locks, no read-modify-write.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <hop/base/atomic.hpp>
#include <hop/base/plain.hpp>

namespace hop::base {

// Owns what is in it. Happens-before: what the producer did before try_push() is seen by the try_pop() that gets the
// value. A popped slot keeps its moved-from T until it is pushed over. Either end may move to another thread, if a
// happens-before goes with it.
template <class T, std::size_t N>
class spsc_ring {
  static_assert(std::has_single_bit(N), "hop::base::spsc_ring: capacity is a power of two");

 public:
  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }

  // Producer only. false when full; `v` is untouched then.
  [[nodiscard]] bool try_push(T&& v) {
    // order: relaxed; only this thread writes tail_.
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_seen_ == N) {
      // order: acquire. pairs: release in try_pop(). B5: the slot's old value has left before it is overwritten.
      head_seen_ = head_.load(std::memory_order_acquire);
      if (tail - head_seen_ == N) return false;
    }
    slots_[tail & mask].set(std::move(v));
    // order: release. pairs: acquire in try_pop(). B5: the consumer sees the value whole.
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  [[nodiscard]] bool try_push(const T& v) { return try_push(T(v)); }

  // Consumer only. nullopt when empty.
  [[nodiscard]] std::optional<T> try_pop() {
    // order: relaxed; only this thread writes head_.
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_seen_) {
      // order: acquire. pairs: release in try_push(). B5: what was pushed is seen whole.
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head == tail_seen_) return std::nullopt;
    }
    std::optional<T> v{std::move(slots_[head & mask].ref())};
    // order: release. pairs: acquire in try_push(). B5: the slot is free only after the value left it.
    head_.store(head + 1, std::memory_order_release);
    return v;
  }

  // A guess from any thread: true now may be false at once.
  [[nodiscard]] bool seems_empty() const {
    // order: relaxed; a hint only.
    return head_.load(std::memory_order_relaxed) == tail_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t mask = N - 1;
  std::array<plain<T>, N> slots_;
  alignas(cache_line) atomic<std::uint64_t> head_{0};  // written by the consumer
  std::uint64_t tail_seen_ = 0;                        // consumer's last look at tail_
  alignas(cache_line) atomic<std::uint64_t> tail_{0};  // written by the producer
  std::uint64_t head_seen_ = 0;                        // producer's last look at head_
};

}  // namespace hop::base
