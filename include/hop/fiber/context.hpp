// The raw switch of stacks: saves where we stand in `from`, goes on where `to` was left. It knows nothing of fibers,
// threads, exceptions or sanitizers; hop/fiber/fiber.hpp adds those.
#pragma once

#include <cstddef>

#include <hop/base/cache_line.hpp>

#if !defined(HOP_SWITCH_BOOST)
#if defined(__x86_64__)
#define HOP_SWITCH_BOOST 0
#else
#define HOP_SWITCH_BOOST 1
#endif
#endif

#if !HOP_SWITCH_BOOST && !defined(__x86_64__)
#error "HOP_SWITCH_BOOST=0 knows x86-64 only; build with HOP_SWITCH_BOOST=1"
#endif

#if HOP_SWITCH_BOOST
#include <hop/fiber/context_boost.hpp>  // IWYU pragma: export
#else
#include <hop/fiber/context_x86_64.hpp>  // IWYU pragma: export
#endif
