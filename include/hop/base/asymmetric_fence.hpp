// A fence with its cost on one side. light(): a promise to the compiler alone. heavy(): makes every other running thread of the
// process pass a full fence (membarrier), some microseconds. Of a store then light() then load on one side, and a store then
// heavy() then load on the other, at least one load sees the other side's store.
#pragma once

#include <atomic>

#include <hop/base/cache_line.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/sanitizers.hpp>

#if HOP_MODEL
#include "model/asymmetric_fence.hpp"
#endif

namespace hop::base {

#if HOP_MODEL

using model::fence_heavy;
using model::fence_light;
inline bool fence_heavy_works() { return true; }

#else

// TSan knows nothing of membarrier: there both sides are full fences.
HOP_ALWAYS_INLINE void fence_light() noexcept {
#if HOP_TSAN
  fence_seq_cst();
#else
  // order: seq_cst for the compiler alone. pairs: fence_heavy(), named at each call.
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

// False: this kernel has no membarrier, or refuses it (seccomp); then fence_heavy() must not be relied upon. Asked once.
[[nodiscard]] HOP_EXPORT bool fence_heavy_works() noexcept;
HOP_EXPORT void fence_heavy() noexcept;

#endif

}  // namespace hop::base
