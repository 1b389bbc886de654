// What ASan and TSan must hear of a switch. Empty in other builds. Valgrind learns of a stack once, in fiber::create().
#pragma once

#include <cstddef>

#include <hop/base/cache_line.hpp>
#include <hop/base/sanitizers.hpp>

#if HOP_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if HOP_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace hop::fiber::detail {

struct sanitizer_state {
#if HOP_ASAN
  const void* low = nullptr;  // of the usable stack
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
#endif
#if HOP_TSAN
  void* fiber = nullptr;
#endif
};

inline void sanitizer_created([[maybe_unused]] sanitizer_state& s, [[maybe_unused]] const void* low,
                              [[maybe_unused]] std::size_t bytes) noexcept {
#if HOP_ASAN
  s.low = low;
  s.bytes = bytes;
#endif
#if HOP_TSAN
  s.fiber = __tsan_create_fiber(0);
#endif
}

inline void sanitizer_destroyed([[maybe_unused]] sanitizer_state& s) noexcept {
#if HOP_TSAN
  __tsan_destroy_fiber(s.fiber);
#endif
}

// The state of the thread that calls, on its own stack.
void sanitizer_adopt_thread(sanitizer_state& s) noexcept;

HOP_ALWAYS_INLINE void sanitizer_before_switch([[maybe_unused]] sanitizer_state& from,
                                               [[maybe_unused]] sanitizer_state& to) noexcept {
#if HOP_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.low, to.bytes);
#endif
#if HOP_TSAN
  __tsan_switch_to_fiber(to.fiber, 0);  // 0: the two are ordered, as two calls on one thread are
#endif
}

// The last switch of a fiber: its fake frames go.
HOP_ALWAYS_INLINE void sanitizer_before_last_switch([[maybe_unused]] sanitizer_state& to) noexcept {
#if HOP_ASAN
  __sanitizer_start_switch_fiber(nullptr, to.low, to.bytes);
#endif
#if HOP_TSAN
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

// On the stack just entered.
HOP_ALWAYS_INLINE void sanitizer_after_switch([[maybe_unused]] sanitizer_state& self) noexcept {
#if HOP_ASAN
  __sanitizer_finish_switch_fiber(self.fake_stack, nullptr, nullptr);
#endif
}

}  // namespace hop::fiber::detail
