// Who sleeps on a futex word, asked of the kernel: a test that needs a sleeper waits for it, it does not guess a time.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdint>

#include <hop/base/futex.hpp>
#include <hop/base/spin_hint.hpp>

namespace hop::base::test {

// Moving every sleeper of a word to the same word wakes nobody and counts them. `value` is what the word holds.
inline long sleepers_on(atomic<std::uint32_t>& word, std::uint32_t value) {
  return ::syscall(SYS_futex, static_cast<void*>(&word), FUTEX_CMP_REQUEUE | FUTEX_PRIVATE_FLAG, 0,
                   static_cast<unsigned long>(INT_MAX), static_cast<void*>(&word), value);
}

inline void wait_for_sleepers(atomic<std::uint32_t>& word, std::uint32_t value, long count) {
  while (sleepers_on(word, value) < count) os_yield();
}

}  // namespace hop::base::test
