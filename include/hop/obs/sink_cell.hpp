// A function with its context that can be exchanged while others call it, without a lock around the calls.
// Two slots: callers enter the current one, the exchanger fills the other, turns over and waits until the old one is empty.
#pragma once

#include <array>
#include <cstdint>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/plain.hpp>

namespace hop::obs {

// Lives as long as any caller may call: in practice as long as the process.
template <class Function>
class sink_cell {
 public:
  struct target {
    Function function{};
    void* context = nullptr;
  };

  // Calls use(target) with the one in force. No lock is held; `use` may call() again but must not exchange() (it would wait
  // for itself).
  template <class Use>
  void call(Use&& use) {
    const std::uint32_t i = enter();
    use(slots_[i].what.get());
    leave(i);
  }

  // From now on callers get `next`. Returns when no call with the former one runs any more (O7): its context may go.
  void exchange(target next) HOP_EXCLUDES(exchangers_) {
    base::lock_guard guard(exchangers_);
    // order: relaxed. Only exchangers store current_, and they hold the mutex. O7.
    const std::uint32_t old = current_.load(std::memory_order_relaxed);
    slots_[1 - old].what.set(next);
    // order: seq_cst. pairs: enter()'s and leave()'s loads of current_. O7: a caller that still sees the old slot is seen in
    // `users` below. O8: the last to leave sees that it must wake us.
    current_.store(1 - old, std::memory_order_seq_cst);
    if (HOP_MUTANT("sink_cell: does not wait for callers")) return;
    base::atomic<std::uint32_t>& users = slots_[old].users;
    // order: seq_cst. pairs: the users operations of enter() and leave(). O7: 0 means all have left, with all they did.
    for (std::uint32_t n; (n = users.load(std::memory_order_seq_cst)) != 0;) base::futex_wait(users, n);
  }

 private:
  struct alignas(base::cache_line) slot {
    base::atomic<std::uint32_t> users{0};
    base::plain<target> what{};
  };

  std::uint32_t enter() {
    for (;;) {
      // order: seq_cst, here and in the look below. pairs: exchange()'s store. O7: `what` of the slot we enter is written.
      const std::uint32_t i = current_.load(std::memory_order_seq_cst);
      // order: seq_cst. pairs: exchange()'s load of users. O7: either it sees us, or we see its store of current_.
      slots_[i].users.fetch_add(1, std::memory_order_seq_cst);
      if (HOP_MUTANT("sink_cell: no second look")) return i;
      // order: seq_cst. pairs: exchange()'s store of current_. O7: the second half of the pair above.
      if (current_.load(std::memory_order_seq_cst) == i) return i;
      leave(i);
    }
  }

  void leave(std::uint32_t i) {
    // order: seq_cst. pairs: exchange()'s load of users. O7: what the call did happens before the exchange returns.
    const bool last = slots_[i].users.fetch_sub(1, std::memory_order_seq_cst) == 1;
    // order: seq_cst. pairs: exchange()'s store of current_. O8: if we see the old value, it sees our subtraction.
    if (last && current_.load(std::memory_order_seq_cst) != i && !HOP_MUTANT("sink_cell: last one out wakes nobody"))
      base::futex_wake(slots_[i].users, 1);
  }

  base::atomic<std::uint32_t> current_{0};
  std::array<slot, 2> slots_;
  base::ranked_mutex exchangers_{base::lock_rank::log_sink};  // one exchange at a time; callers never take it
};

}  // namespace hop::obs
