// The kernel's wait queue behind a 32-bit word. Everything that sleeps, sleeps here.
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/place.hpp>

#if HOP_MODEL
#include "model/futex.hpp"
#endif

namespace hop::base {

enum class futex_end : std::uint8_t {
  woken,      // a wake, or a spurious return: look again
  changed,    // the word did not hold `expected`
  timed_out,  // the deadline passed
};

#if HOP_MODEL

inline futex_end futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, deadline until = never,
                            place where = place::here()) {
  switch (model::futex_wait(word, expected, until != never, where)) {
    case model::futex_outcome::changed:
      return futex_end::changed;
    case model::futex_outcome::timed_out:
      return futex_end::timed_out;
    default:
      return futex_end::woken;
  }
}
inline int futex_wake(atomic<std::uint32_t>& word, int count, place where = place::here()) {
  return model::futex_wake(word, count, where);
}

#else

// Sleeps while `word` holds `expected`, until woken or `until`. The comparison and going to sleep are one step for
// wakers. Neither call orders other memory: happens-before comes from the operations on `word`. The caller keeps `word`
// alive.
HOP_EXPORT futex_end futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, deadline until = never) noexcept;

// Wakes up to `count` sleepers (none for count <= 0) and says how many it woke. Legal from any thread and from a signal
// handler.
HOP_EXPORT int futex_wake(atomic<std::uint32_t>& word, int count) noexcept;

#endif

}  // namespace hop::base
