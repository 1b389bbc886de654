// One thread-local pointer that is right after a fiber has moved to another thread.
//
// Compilers keep the address of a thread_local over a call, and a switch of stacks looks like one: the resumed fiber
// would read the word of the thread it came from (seen with g++ 12, clang 14 and clang 19). On x86-64 the load and
// store below are single volatile instructions relative to %fs, so nothing can be kept; elsewhere the address comes
// from a noinline function and passes through an asm barrier. (A plain noinline is not enough: g++ and clang deduce
// that it is pure.)
//
// The word does not own what it points to, and it orders nothing between threads: no other thread can see it.
#pragma once

#include <cstdint>

#include <hop/base/cache_line.hpp>

#if HOP_MODEL
#include "model/thread.hpp"
#endif

namespace hop::base {

#if HOP_MODEL

inline void* thread_word() { return model::thread_word(); }
inline void set_thread_word(void* p) { model::set_thread_word(p); }

#elif defined(__x86_64__) && defined(__ELF__)

extern "C" HOP_EXPORT thread_local void* hop_thread_word __attribute__((tls_model("initial-exec")));

// The word of the thread that runs this instruction (B6); nullptr on a thread that never set it.
HOP_ALWAYS_INLINE void* thread_word() noexcept {
  void* p;
  asm volatile("movq hop_thread_word@gottpoff(%%rip), %0\n\tmovq %%fs:(%0), %0" : "=&r"(p) : : "memory");
  return p;
}
HOP_ALWAYS_INLINE void set_thread_word(void* p) noexcept {
  void* offset;
  asm volatile("movq hop_thread_word@gottpoff(%%rip), %0\n\tmovq %1, %%fs:(%0)" : "=&r"(offset) : "r"(p) : "memory");
}

#else

HOP_EXPORT void** thread_word_address() noexcept;

inline void* thread_word() noexcept {
  void** at = thread_word_address();
  asm volatile("" : "+r"(at) : : "memory");
  return *at;
}
inline void set_thread_word(void* p) noexcept {
  void** at = thread_word_address();
  asm volatile("" : "+r"(at) : : "memory");
  *at = p;
}

#endif

}  // namespace hop::base
