#include <hop/fiber/sanitizer_hooks.hpp>

#include <pthread.h>

#include <hop/base/assert.hpp>

namespace hop::fiber::detail {

void sanitizer_adopt_thread([[maybe_unused]] sanitizer_state& s) noexcept {
#if HOP_ASAN
  // tidy: allow pthread_*: only the C library knows where a thread's own stack lies
  pthread_attr_t attributes;
  void* low = nullptr;
  HOP_ASSERT(pthread_getattr_np(pthread_self(), &attributes) == 0, "the thread knows its stack");
  HOP_ASSERT(pthread_attr_getstack(&attributes, &low, &s.bytes) == 0, "the thread knows its stack");
  pthread_attr_destroy(&attributes);
  s.low = low;
#endif
#if HOP_TSAN
  s.fiber = __tsan_get_current_fiber();
#endif
}

}  // namespace hop::fiber::detail
