// The free stacks one worker keeps at hand: newest first, because their pages are mapped and their lines in its cache.
#pragma once

#include <array>
#include <cstddef>

#include <hop/base/result.hpp>
#include <hop/fiber/stack.hpp>
#include <hop/fiber/stack_pool.hpp>

namespace hop::fiber {

// Belongs to one thread at a time; no lock of its own. Gives everything back to the pool when destroyed.
class HOP_EXPORT stack_cache {
 public:
  static constexpr std::size_t small_limit = 64;
  static constexpr std::size_t large_limit = 8;

  explicit stack_cache(stack_pool& pool) noexcept : pool_(&pool) {}
  ~stack_cache() { flush(); }
  stack_cache(const stack_cache&) = delete;
  stack_cache& operator=(const stack_cache&) = delete;

  [[nodiscard]] result<stack> acquire(stack_class cls) noexcept {
    list& l = of(cls);
    if (l.count == 0) [[unlikely]] {
      if (auto filled = refill(cls); !filled) return filled.error();
    }
    return l.items[--l.count];
  }

  void release(const stack& s) noexcept {
    list& l = of(s.cls);
    if (l.count == limit(s.cls)) [[unlikely]]
      spill(s.cls, limit(s.cls) / 2);
    l.items[l.count++] = s;
  }

  // All of it to the pool: before a trim, and when a worker goes.
  void flush() noexcept;

  [[nodiscard]] std::size_t size(stack_class cls) const noexcept { return lists_[static_cast<std::size_t>(cls)].count; }
  [[nodiscard]] stack_pool& pool() const noexcept { return *pool_; }

 private:
  struct list {
    std::size_t count = 0;
    std::array<stack, small_limit> items;
  };
  static_assert(large_limit <= small_limit);

  [[nodiscard]] list& of(stack_class c) noexcept { return lists_[static_cast<std::size_t>(c)]; }
  [[nodiscard]] static constexpr std::size_t limit(stack_class c) noexcept {
    return c == stack_class::small ? small_limit : large_limit;
  }
  [[nodiscard]] result<void> refill(stack_class cls) noexcept;
  void spill(stack_class cls, std::size_t oldest) noexcept;

  stack_pool* pool_;
  std::array<list, stack_class_count> lists_;
};

}  // namespace hop::fiber
