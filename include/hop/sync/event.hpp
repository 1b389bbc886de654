// hop::event: a flag to wait for. Once set, everybody who waits goes on, and nobody waits until it is reset.
#pragma once

#include <cstdint>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/intrusive_list.hpp>
#include <hop/base/mutex.hpp>

namespace hop {

namespace sched {
class parker;
}

class event {
 public:
  event() = default;
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  HOP_EXPORT ~event();

  [[nodiscard]] bool is_set() const {
    // order: acquire. pairs: set(), release. Y2: what was done before set() is seen.
    return state_.load(std::memory_order_acquire) != 0;
  }
  // Any thread or fiber; never waits. What was done before happens-before every wait() that it ends.
  HOP_EXPORT void set();
  void reset() {
    state_.store(0, std::memory_order_relaxed);  // order: relaxed. A later wait is not ordered by it
  }
  void wait() {
    if (!is_set()) wait_slow();
  }

 private:
  struct waiting : base::list_hook<> {
    sched::parker* who = nullptr;
    base::atomic<std::uint32_t> woken{0};
  };
  HOP_EXPORT HOP_NOINLINE void wait_slow();

  base::atomic<std::uint32_t> state_{0};
  base::ranked_mutex guard_{base::lock_rank::sync};
  base::intrusive_list<waiting> line_ HOP_GUARDED_BY(guard_);
};

}  // namespace hop
