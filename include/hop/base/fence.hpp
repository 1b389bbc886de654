// Fences. TSan does not understand std::atomic_thread_fence, so under TSan a fence is a read-modify-write of one shared
// word: all fences then synchronise with each other. That may hide a race that a real fence would not order; the model
// checker, not TSan, is what proves the fences.
#pragma once

#include <atomic>

#include <hop/base/cache_line.hpp>
#include <hop/base/sanitizers.hpp>

#if HOP_MODEL
#include "model/atomic.hpp"
#endif

namespace hop::base {

#if HOP_MODEL

using model::fence_acquire;
using model::fence_release;
using model::fence_seq_cst;

#elif HOP_TSAN

namespace detail {
inline std::atomic<unsigned> tsan_fence_word{0};
}
// order: seq_cst on one word. pairs: every other fence of the program, which is the promise of the TSan form.
inline void fence_seq_cst() noexcept { detail::tsan_fence_word.fetch_add(1, std::memory_order_seq_cst); }
inline void fence_acquire() noexcept { fence_seq_cst(); }
inline void fence_release() noexcept { fence_seq_cst(); }

#else

// order: the fence itself. pairs: named at each call.
HOP_ALWAYS_INLINE void fence_seq_cst() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }
HOP_ALWAYS_INLINE void fence_acquire() noexcept { std::atomic_thread_fence(std::memory_order_acquire); }
HOP_ALWAYS_INLINE void fence_release() noexcept { std::atomic_thread_fence(std::memory_order_release); }

#endif

}  // namespace hop::base
