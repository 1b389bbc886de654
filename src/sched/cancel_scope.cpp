#include <hop/sched/cancel_scope.hpp>

#include <hop/base/assert.hpp>
#include <hop/sched/park.hpp>

namespace hop {

cancel_scope::cancel_scope(cancel_scope* parent) : parent_(parent) {
  if (parent_ == nullptr) return;
  base::lock_guard hold(parent_->mu_);
  parent_->children_.push_back(*this);
  // order: relaxed, both. pairs: the parent's lock. K2: linked before its cancel() walks, or after and then seen here.
  cancelled_.store(parent_->cancelled_.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

cancel_scope::~cancel_scope() {
  if (parent_ != nullptr) {
    base::lock_guard hold(parent_->mu_);
    parent_->children_.remove(*this);
  }
  base::lock_guard hold(mu_);
  HOP_ASSERT(children_.empty() && waiting_.empty(), "hop::cancel_scope: destroyed before what runs under it");
}

void cancel_scope::cancel() noexcept {
  base::lock_guard hold(mu_);
  // order: release. pairs: cancelled(), acquire. K1.
  if (cancelled_.exchange(1, std::memory_order_acq_rel) != 0) return;
  // They leave by themselves: an entry is on the list until its owner takes it off.
  for (sched::cancel_entry& e : waiting_) sched::unpark(*e.who);
  // A child cannot go while we hold our lock: its destructor takes it.
  for (cancel_scope& c : children_) c.cancel();
}

bool cancel_scope::enter(sched::cancel_entry& e) noexcept {
  base::lock_guard hold(mu_);
  // order: relaxed. pairs: the lock. K2: cancel() walks after us, or was before and is seen.
  if (cancelled_.load(std::memory_order_relaxed) != 0) return false;
  waiting_.push_back(e);
  return true;
}

void cancel_scope::leave(sched::cancel_entry& e) noexcept {
  base::lock_guard hold(mu_);
  waiting_.remove(e);
}

}  // namespace hop
