#include <hop/base/futex.hpp>

#if !HOP_MODEL

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include <hop/base/assert.hpp>

namespace hop::base {

namespace {

static_assert(sizeof(atomic<std::uint32_t>) == 4 && atomic<std::uint32_t>::is_always_lock_free,
              "a futex word is four plain bytes");

long futex(atomic<std::uint32_t>& word, int op, std::uint32_t value, const timespec* until,
           std::uint32_t mask) noexcept {
  return ::syscall(SYS_futex, static_cast<void*>(&word), op | FUTEX_PRIVATE_FLAG, value, until, nullptr, mask);
}

}  // namespace

futex_end futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) noexcept {
  // WAIT_BITSET takes an absolute time on CLOCK_MONOTONIC, so a restart after a signal does not stretch the wait.
  timespec at{};
  at.tv_sec = until.ns() / 1'000'000'000;
  at.tv_nsec = until.ns() % 1'000'000'000;
  if (until.ns() < 0) at = {};
  if (futex(word, FUTEX_WAIT_BITSET, expected, until == never ? nullptr : &at, FUTEX_BITSET_MATCH_ANY) == 0)
    return futex_end::woken;
  switch (errno) {
    case EAGAIN:
      return futex_end::changed;
    case ETIMEDOUT:
      return futex_end::timed_out;
    case EINTR:
      return futex_end::woken;
    default:
      panic("futex_wait refused: not a word of this process?");
  }
}

int futex_wake(atomic<std::uint32_t>& word, int count) noexcept {
  if (count <= 0) return 0;  // the kernel would wake one
  const long n = futex(word, FUTEX_WAKE_BITSET, static_cast<std::uint32_t>(count), nullptr, FUTEX_BITSET_MATCH_ANY);
  return n < 0 ? 0 : static_cast<int>(n);  // the word may be gone already: a wake of unmapped memory is not an error
}

}  // namespace hop::base

#endif
