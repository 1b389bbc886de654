// Which addresses of the process are stacks: for the overflow handler, so only loads and arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <hop/base/cache_line.hpp>
#include <hop/fiber/stack.hpp>

namespace hop::fiber {

// A reservation full of stacks of one class, all guarded at their low end before use.
struct stack_range {
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  stack_class cls = stack_class::small;
};

inline constexpr std::size_t stack_ranges_max = 64;  // two for each living stack_pool

// False: stack_ranges_max are registered already.
[[nodiscard]] bool register_stack_range(const stack_range& r) noexcept;
void unregister_stack_range(const std::byte* begin) noexcept;

struct stack_location {
  stack where;
  bool in_guard = false;
};
// Async-signal-safe. nullopt: no address of a stack.
[[nodiscard]] HOP_EXPORT std::optional<stack_location> find_stack(const void* address) noexcept;

}  // namespace hop::fiber
