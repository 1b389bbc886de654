// Treiber's stack over a fixed set of nodes, as printed: the head is an index. With `Counted` the head carries a version, and
// the ABA problem is gone.
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/plain.hpp>

namespace hop::model {

template <bool Counted>
class treiber_stack {
 public:
  static constexpr std::uint32_t none = 0xffff;

  void push(std::uint32_t node) {
    std::uint32_t head = head_.load(std::memory_order_relaxed);
    do next_[node].store(head & 0xffff, std::memory_order_relaxed);
    while (
        !head_.compare_exchange_strong(head, with(head, node), std::memory_order_release, std::memory_order_relaxed));
  }

  std::uint32_t pop() {
    std::uint32_t head = head_.load(std::memory_order_acquire);
    while ((head & 0xffff) != none) {
      const std::uint32_t next = next_[head & 0xffff].load(std::memory_order_relaxed);
      if (head_.compare_exchange_strong(head, with(head, next), std::memory_order_acquire, std::memory_order_acquire))
        return head & 0xffff;
    }
    return none;
  }

 private:
  static std::uint32_t with(std::uint32_t old, std::uint32_t index) {
    return Counted ? ((old & 0xffff0000u) + 0x10000u) | index : index;
  }
  base::atomic<std::uint32_t> head_{none};
  base::atomic<std::uint32_t> next_[3];
};

}  // namespace hop::model
