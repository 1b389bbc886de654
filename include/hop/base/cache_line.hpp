// Layout and linkage words used by every room.
#pragma once

#include <cstddef>

// A symbol of the shared library. Everything else stays hidden.
#define HOP_EXPORT __attribute__((visibility("default")))
#define HOP_NOINLINE __attribute__((noinline))
#define HOP_ALWAYS_INLINE inline __attribute__((always_inline))
#define HOP_LIKELY(x) __builtin_expect(!!(x), 1)
#define HOP_UNLIKELY(x) __builtin_expect(!!(x), 0)

// 1 where the extra checks (lock ranks, debug asserts) are compiled in. It changes layouts: one value for a whole
// program.
#ifndef HOP_CHECKED
#define HOP_CHECKED 0
#endif
#ifndef HOP_MODEL
#define HOP_MODEL 0
#endif

namespace hop::base {

// std::hardware_destructive_interference_size may differ between translation units (g++ warns of it); this is a
// constant of ours.
inline constexpr std::size_t cache_line = 64;

inline constexpr bool checked = HOP_CHECKED != 0;
inline constexpr bool modelling = HOP_MODEL != 0;

}  // namespace hop::base
