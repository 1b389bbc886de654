#include <hop/sched/sleep.hpp>

#include <new>

#include <hop/base/futex.hpp>
#include <hop/sched/cancel_scope.hpp>
#include <hop/sched/park.hpp>
#include <hop/sched/pool.hpp>

namespace hop {

const char* cancelled::what() const noexcept { return "hop: cancelled"; }

namespace this_fiber {

cancel_scope* scope() noexcept {
  const sched::worker* const w = sched::this_worker();
  return w == nullptr || w->context == nullptr ? nullptr : w->context->scope;
}

bool cancelled() noexcept {
  const cancel_scope* const s = scope();
  return s != nullptr && s->cancelled();
}

}  // namespace this_fiber

namespace sched {

namespace {

// In a scope's list for the length of a wait.
class watching_scope {
 public:
  watching_scope(cancel_scope* s, parker& who) noexcept : scope_(s) {
    entry_.who = &who;
    cancelled_ = s != nullptr && !s->enter(entry_);
  }
  ~watching_scope() {
    if (scope_ != nullptr && !cancelled_) scope_->leave(entry_);
  }
  watching_scope(const watching_scope&) = delete;
  watching_scope& operator=(const watching_scope&) = delete;
  [[nodiscard]] bool cancelled_before() const noexcept { return cancelled_; }

 private:
  cancel_scope* scope_;
  cancel_entry entry_;
  bool cancelled_;
};

// In a heap for the length of a wait.
class ringing {
 public:
  ringing(worker& w, base::instant at, parker& who) : timer_(who) {
    if (at == base::never) return;
    heap_ = &w.alarms;
    bool first = false;
    if (!heap_->add(timer_, at, first)) throw std::bad_alloc();
    if (first) w.home->timer_added();
  }
  ~ringing() { stop(); }
  ringing(const ringing&) = delete;
  ringing& operator=(const ringing&) = delete;
  void stop() noexcept {
    if (heap_ != nullptr) heap_->cancel(timer_);
    heap_ = nullptr;
  }
  [[nodiscard]] bool rang() const noexcept { return timer_.rang(); }

 private:
  timer timer_;
  timer_heap* heap_ = nullptr;
};

}  // namespace

errc park_until(base::instant until, const park_reason& why) {
  worker* const w = this_worker();
  parker& me = this_parker();
  if (w == nullptr || w->current == nullptr) return park_thread_until(me, until) ? errc::ok : errc::timed_out;
  cancel_scope* const scope = this_fiber::scope();
  const watching_scope watched(scope, me);
  if (watched.cancelled_before()) return errc::cancelled;
  ringing alarm(*w, until, me);
  park(why);
  alarm.stop();
  if (scope != nullptr && scope->cancelled()) return errc::cancelled;
  return alarm.rang() ? errc::timed_out : errc::ok;
}

}  // namespace sched

void sleep_until(base::instant until) {
  for (;;) {
    const errc e = sched::park_until(until, {"sleep", nullptr});
    if (e == errc::cancelled) throw cancelled();
    if (e == errc::timed_out || base::clock::now() >= until) return;
  }
}

}  // namespace hop
