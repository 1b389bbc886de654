// Peterson's lock for two threads. The turn is exchanged, not stored: who comes second then knows that the first wants in. With
// a plain store and a seq_cst fence behind it (`ByStore`, right on x86) the C++ model lets both in.
#pragma once

#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/spin_hint.hpp>

namespace hop::model {

template <bool ByStore>
class peterson_lock {
 public:
  void lock(int me) {
    const int other = 1 - me;
    wants_[me].store(1, std::memory_order_relaxed);
    if (ByStore) {
      turn_.store(other, std::memory_order_release);
      base::fence_seq_cst();
    } else if (!HOP_MUTANT("peterson: no turn")) {
      turn_.exchange(other, std::memory_order_acq_rel);
    }
    while (wants_[other].load(std::memory_order_acquire) == 1 && turn_.load(std::memory_order_relaxed) == other)
      base::spin_hint();
  }
  void unlock(int me) { wants_[me].store(0, std::memory_order_release); }

 private:
  base::atomic<int> wants_[2];
  base::atomic<int> turn_{0};
};

}  // namespace hop::model
