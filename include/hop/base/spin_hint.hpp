// One turn of a spin loop.
#pragma once

#include <hop/base/cache_line.hpp>

#if HOP_MODEL
#include "model/thread.hpp"
#endif

namespace hop::base {

#if HOP_MODEL
using model::os_yield;
using model::spin_hint;
#else
HOP_ALWAYS_INLINE void spin_hint() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// Gives the processor to another thread. Never from a fiber: it would hold up the worker.
HOP_EXPORT void os_yield() noexcept;
#endif

}  // namespace hop::base
