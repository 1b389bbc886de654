// A tree of things that can be called off: a run, a nursery, a request. Tasks hold a pointer to theirs and look at one word.
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

// Somebody who waits under a scope and wants to be unparked when it is cancelled. In the frame of who waits.
struct cancel_entry : base::list_hook<struct cancel_entry_tag> {
  parker* who = nullptr;
};
}  // namespace sched

// Outlives its children and everything that runs under it. Thread-safe.
class HOP_EXPORT cancel_scope : public base::list_hook<cancel_scope> {
 public:
  // Below `parent`: cancelled with it, at once if it already is. nullptr: a root.
  explicit cancel_scope(cancel_scope* parent = nullptr);
  ~cancel_scope();
  cancel_scope(const cancel_scope&) = delete;
  cancel_scope& operator=(const cancel_scope&) = delete;

  // This scope and all below it; for good. Whoever waits interruptibly under one of them is woken. Never waits for them.
  void cancel() noexcept;
  [[nodiscard]] bool cancelled() const noexcept {
    // order: acquire. pairs: cancel(), release. K1: what the canceller did before is seen.
    return cancelled_.load(std::memory_order_acquire) != 0;
  }
  [[nodiscard]] cancel_scope* parent() const noexcept { return parent_; }

  // For who waits. False: it is cancelled already. After leave() nobody touches the entry any more.
  [[nodiscard]] bool enter(sched::cancel_entry& e) noexcept;
  void leave(sched::cancel_entry& e) noexcept;

 private:
  cancel_scope* parent_;
  base::atomic<std::uint32_t> cancelled_{0};
  // Not ranked: scopes of one tree are locked from the parent to the child, which no rank can say.
  base::mutex mu_;
  base::intrusive_list<cancel_scope, cancel_scope> children_ HOP_GUARDED_BY(mu_);
  base::intrusive_list<sched::cancel_entry, sched::cancel_entry_tag> waiting_ HOP_GUARDED_BY(mu_);
};

}  // namespace hop
