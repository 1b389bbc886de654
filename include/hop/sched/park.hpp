// For those who build ways to wait: park until somebody unparks. Works on fibers and on plain threads alike.
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/sched/parker.hpp>

namespace hop::sched {

// Of the fiber or thread that runs this.
[[nodiscard]] HOP_EXPORT parker& this_parker() noexcept;

// Waits until unpark() is called for us; at once if it was since the last park. May return early: look at what you wait for, again.
// What was done before the unpark is seen after the park.
HOP_EXPORT void park(const park_reason& why);

// Parks only while flag holds `expected`. Who changes the flag calls unpark() after that.
inline void park_if(const base::atomic<std::uint32_t>& flag, std::uint32_t expected, const park_reason& why) {
  // order: acquire. pairs: the store of who changes it. S10: an unpark after the change ends the park below or is found by it.
  if (flag.load(std::memory_order_acquire) == expected) park(why);
}

// Any thread, any number of times; never waits. The fiber goes behind what its waker already has, and somebody is woken for it.
HOP_EXPORT void unpark(parker& p);
// For a fiber that will park in a moment: the other one goes next, here, and nobody is woken for it.
HOP_EXPORT void hand_off(parker& p);

// For a thread that is no worker: false when the time came first.
HOP_EXPORT bool park_thread_until(parker& p, base::instant until);

// Forgets an unpark that came too late for what it was about.
HOP_EXPORT void clear_unpark() noexcept;

}  // namespace hop::sched
