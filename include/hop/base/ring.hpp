// ring<T, N>: a bounded FIFO for one thread, or under a lock. N is a power of two; nothing is allocated.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <hop/base/assert.hpp>

namespace hop::base {

// Owns what is in it. A popped slot keeps its moved-from T until it is pushed over.
template <class T, std::size_t N>
class ring {
  static_assert(std::has_single_bit(N), "hop::base::ring: capacity is a power of two");

 public:
  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return N; }
  [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(tail_ - head_); }
  [[nodiscard]] bool empty() const noexcept { return head_ == tail_; }
  [[nodiscard]] bool full() const noexcept { return size() == N; }

  // false when full; `v` is untouched then.
  [[nodiscard]] bool push_back(T&& v) {
    if (full()) return false;
    slots_[tail_ & mask] = std::move(v);
    ++tail_;
    return true;
  }
  [[nodiscard]] bool push_back(const T& v) { return push_back(T(v)); }

  [[nodiscard]] std::optional<T> pop_front() {
    if (empty()) return std::nullopt;
    return std::optional<T>{std::move(slots_[head_++ & mask])};
  }
  [[nodiscard]] std::optional<T> pop_back() {
    if (empty()) return std::nullopt;
    return std::optional<T>{std::move(slots_[--tail_ & mask])};
  }

  // The i-th from the front.
  [[nodiscard]] T& operator[](std::size_t i) {
    HOP_DEBUG_ASSERT(i < size(), "hop::base::ring: index beyond the end");
    return slots_[(head_ + i) & mask];
  }

 private:
  static constexpr std::uint64_t mask = N - 1;
  std::array<T, N> slots_{};
  std::uint64_t head_ = 0;  // next to pop; both counters only grow, 2^64 never wraps
  std::uint64_t tail_ = 0;
};

}  // namespace hop::base
