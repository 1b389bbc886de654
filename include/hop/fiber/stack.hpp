// The two sizes of stacks, and a stack as a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#ifndef HOP_STACK_BYTES
#define HOP_STACK_BYTES 262144
#endif
#ifndef HOP_LARGE_STACK_BYTES
#define HOP_LARGE_STACK_BYTES 8388608
#endif

namespace hop::fiber {

enum class stack_class : std::uint8_t {
  small,  // HOP_STACK_BYTES: tasks; only touched pages cost memory
  large,  // HOP_LARGE_STACK_BYTES: what was written for a thread's stack
};
inline constexpr std::size_t stack_class_count = 2;

inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t default_stack_bytes = HOP_STACK_BYTES;
inline constexpr std::size_t large_stack_bytes = HOP_LARGE_STACK_BYTES;
static_assert(default_stack_bytes % page_bytes == 0 && default_stack_bytes >= 4 * page_bytes);
static_assert(large_stack_bytes % page_bytes == 0 && large_stack_bytes >= 4 * page_bytes);

[[nodiscard]] constexpr std::string_view to_string(stack_class c) noexcept {
  return c == stack_class::small ? "small" : "large";
}

// Distance from one stack to the next: its guard and its usable part.
[[nodiscard]] constexpr std::size_t stack_bytes(stack_class c) noexcept {
  return c == stack_class::small ? default_stack_bytes : large_stack_bytes;
}

// The guard is the low end of the stack. Several pages, because they cost nothing and a frame with a buffer of a page or
// two would step over a single one: a sixteenth of the stack, at most 64 KiB.
[[nodiscard]] constexpr std::size_t guard_bytes(stack_class c) noexcept {
  const std::size_t sixteenth = stack_bytes(c) / 16 / page_bytes * page_bytes;
  return sixteenth < page_bytes ? page_bytes : sixteenth > 16 * page_bytes ? 16 * page_bytes : sixteenth;
}

// One stack, guard installed. Owned by whoever acquired it; given back to a stack_cache or stack_pool exactly once.
struct stack {
  std::byte* low = nullptr;  // first byte of the guard
  std::uint32_t index = 0;   // in its pool and class
  stack_class cls = stack_class::small;

  [[nodiscard]] std::size_t bytes() const noexcept { return stack_bytes(cls); }
  [[nodiscard]] std::byte* high() const noexcept { return low + stack_bytes(cls); }
  [[nodiscard]] std::byte* usable_low() const noexcept { return low + guard_bytes(cls); }
};

}  // namespace hop::fiber
