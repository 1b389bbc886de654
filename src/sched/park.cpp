#include <hop/sched/park.hpp>

#include <hop/base/futex.hpp>
#include <hop/sched/pool.hpp>

namespace hop::sched {

namespace {

// On the next stack: nobody stands on the fiber's any more. An unpark that came meanwhile left the queueing to us (F4).
void commit(departure& d, worker& w) {
  flow& left = *d.left;
  if (!left.self->word().commit_park()) make_ready(&w, left, turn::in_line);
}

}  // namespace

parker& this_parker() noexcept {
  // tidy: allow thread_local: of a thread that is no worker, or a guest; a fiber's own is in its flow
  static thread_local parker of_thread{nullptr};
  worker* const w = this_worker();
  return w != nullptr && w->current != nullptr ? w->current->own : of_thread;
}

bool parker::park_thread(base::instant until) {
  // order: acquire. pairs: unpark_thread(), release. S10: what was done before the unpark is seen.
  while (word_.exchange(0, std::memory_order_acquire) == 0) {
    if (base::futex_wait(word_, 0, until) == base::futex_end::timed_out) return false;
  }
  return true;
}

bool park_thread_until(parker& p, base::instant until) { return p.park_thread(until); }

void parker::unpark_thread() {
  // order: release. pairs: park_thread(), acquire. S10.
  if (word_.exchange(1, std::memory_order_release) == 0) base::futex_wake(word_, 1);
}

void park(const park_reason& why) {
  worker* const w = this_worker();
  if (w == nullptr || w->current == nullptr) {
    this_parker().park_thread(base::never);
    return;
  }
  flow& me = *w->current;
  if (!me.self->word().begin_park()) return;
  departure d{&commit};
  wait(*w, d, why);
  const bool ours = me.self->word().begin_run();
  HOP_ASSERT(ours, "sched: a fiber was resumed that nobody had queued");
}

void unpark(parker& p) {
  flow* const f = p.fiber();
  if (f == nullptr) return p.unpark_thread();
  if (f->self->word().unpark()) make_ready(this_worker(), *f, turn::in_line);
}

void hand_off(parker& p) {
  flow* const f = p.fiber();
  if (f == nullptr) return p.unpark_thread();
  if (f->self->word().unpark()) make_ready(this_worker(), *f, turn::next);
}

void clear_unpark() noexcept {
  worker* const w = this_worker();
  if (w != nullptr && w->current != nullptr) w->current->self->word().clear_latch();
}

}  // namespace hop::sched
