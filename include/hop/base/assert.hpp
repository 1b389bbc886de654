// Programmer errors stop the process, in release too, and say where.
#pragma once

#include <hop/base/cache_line.hpp>
#include <hop/base/place.hpp>

namespace hop::base {

// Ends the process with `what` and the place on stderr (status 134). Under the model checker it ends the run with its
// schedule. Async-signal-safe; allocates nothing.
[[noreturn]] HOP_EXPORT void panic(const char* what, place where = place::here()) noexcept(!modelling);

}  // namespace hop::base

// HOP_ASSERT(condition, "what must hold, in words"): stays on in release.
#define HOP_ASSERT(cond, what)                                          \
  do {                                                                  \
    if (HOP_UNLIKELY(!(cond))) ::hop::base::panic(what " [" #cond "]"); \
  } while (false)

// For checks too dear for a hot path: on where HOP_CHECKED is 1.
#if HOP_CHECKED
#define HOP_DEBUG_ASSERT(cond, what) HOP_ASSERT(cond, what)
#else
#define HOP_DEBUG_ASSERT(cond, what) \
  do {                               \
  } while (false)
#endif
