// HOP_* variables. A wrong value is never guessed at: the process says variable, value and what is allowed, and exits
// 2.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <hop/base/cache_line.hpp>

namespace hop::base {

// These read the process's environment: call them before other threads could change it (setenv).

struct env_range {
  std::uint64_t least;
  std::uint64_t most;
};

// A whole number with an optional suffix k, m, g (powers of 1024). nullopt when the variable is unset or empty.
[[nodiscard]] HOP_EXPORT std::optional<std::uint64_t> env_size(const char* name, env_range allowed);

// One of the words; the index of the one given. nullopt when unset or empty.
[[nodiscard]] HOP_EXPORT std::optional<std::size_t> env_choice(const char* name,
                                                               std::initializer_list<std::string_view> words);

// 0, 1, off, on, no, yes, false, true. `fallback` when unset or empty.
[[nodiscard]] HOP_EXPORT bool env_flag(const char* name, bool fallback);

}  // namespace hop::base
