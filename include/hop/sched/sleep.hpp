// Waits that end by themselves: at a time, or because the scope was cancelled.
#pragma once

#include <chrono>
#include <exception>

#include <hop/base/clock.hpp>
#include <hop/base/errc.hpp>
#include <hop/sched/parker.hpp>

namespace hop {

// What an interruptible wait that returns nothing throws when its scope was cancelled.
class HOP_EXPORT cancelled : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override;
};

class cancel_scope;

namespace sched {

// Parks until unparked (ok; perhaps for no reason), `until` (timed_out), or the cancel of the task's scope (cancelled).
// Threads that are no workers have no scope.
[[nodiscard]] HOP_EXPORT errc park_until(base::instant until, const park_reason& why);

}  // namespace sched

namespace this_fiber {

// The scope this task runs under; nullptr: none.
[[nodiscard]] HOP_EXPORT cancel_scope* scope() noexcept;
// Whether it was cancelled. One load.
[[nodiscard]] HOP_EXPORT bool cancelled() noexcept;

}  // namespace this_fiber

// Throw hop::cancelled when the scope is cancelled before or meanwhile.
HOP_EXPORT void sleep_until(base::instant until);
template <class Rep, class Period>
void sleep_for(std::chrono::duration<Rep, Period> d) {
  sleep_until(base::clock::now() + std::chrono::ceil<base::duration>(d));
}

}  // namespace hop
