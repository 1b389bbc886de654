#include <hop/sync/event.hpp>

#include <hop/sched/park.hpp>

namespace hop {

event::~event() {
  base::lock_guard hold(guard_);
  HOP_ASSERT(line_.empty(), "hop::event: destroyed while somebody waits for it");
}

void event::wait_slow() {
  waiting me;
  me.who = &sched::this_parker();
  {
    base::lock_guard hold(guard_);
    if (is_set()) return;
    line_.push_back(me);
  }
  // order: acquire. pairs: set(), release. Y2, Y3.
  while (me.woken.load(std::memory_order_acquire) == 0) sched::park({"event", this});
}

void event::set() {
  base::lock_guard hold(guard_);
  // order: release. pairs: is_set(), acquire. Y2.
  state_.store(1, std::memory_order_release);
  while (waiting* const w = line_.pop_front()) {
    sched::parker& who = *w->who;
    // order: release. pairs: wait_slow(), acquire. Y3. The entry may be gone after this.
    w->woken.store(1, std::memory_order_release);
    sched::unpark(who);
  }
}

}  // namespace hop
