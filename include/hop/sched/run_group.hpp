// Counts the tasks that were spawned under one `run`, without a word that all workers write: each worker has two counters of its
// own, and only who waits for the end adds them up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <hop/base/asymmetric_fence.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/mutant.hpp>
#include <hop/sched/task.hpp>

namespace hop::sched {

class run_group {
 public:
  // `seats`: workers and guests; spawns from other threads have a seat of their own.
  explicit run_group(std::size_t seats) : seats_(seats), counts_(new seat[seats]) {}
  run_group(const run_group&) = delete;
  run_group& operator=(const run_group&) = delete;

  // Before the task is put where another can take it. By the thread that has the seat.
  void spawned(std::size_t at) {
    base::atomic<std::uint64_t>& n = counts_[at].spawned;
    // order: relaxed, both. pairs: quiet(). S9: one writer; published with the task.
    n.store(n.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void spawned_outside() {
    outside_.fetch_add(1, std::memory_order_relaxed);  // order: relaxed. pairs: quiet(). S9: published with the task
  }

  // After the task is through. The group may be gone afterwards, unless another task of it lives.
  void finished(std::size_t at) {
    base::atomic<std::uint64_t>& n = counts_[at].finished;
    // order: relaxed load of our own word, release store. pairs: quiet(), acquire. S9: who counts it sees its children counted.
    n.store(n.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    // pairs: the heavy fence in close(). S9: we see that somebody waits, or it sees that we are through.
    if (HOP_LIKELY(heavy_)) {
      base::fence_light();
    } else {
      base::fence_seq_cst();
    }
    // order: acquire. pairs: close(). S9: the waiter is seen whole.
    if (HOP_UNLIKELY(closing_.load(std::memory_order_acquire) != nullptr)) tell();
  }

  // Once, when nothing outside the group spawns into it any more. True: `w` will be woken when all are through. False: they are.
  [[nodiscard]] bool close(waiter& w) {
    // order: release. pairs: finished(), acquire. S9.
    closing_.store(&w, std::memory_order_release);
    // pairs: the light fence in finished(). S9.
    if (!HOP_MUTANT("run_group: close without the heavy fence")) dear_fence();
    if (!quiet()) return true;
    // order: acq_rel. pairs: tell(). S9: one of the two has it.
    return closing_.exchange(nullptr, std::memory_order_acq_rel) == nullptr;
  }

  // Nothing lives, if this is true; it may be false and become true at once. First the ends, then the beginnings: both only
  // grow, so equal sums mean that nothing lived when the second were read.
  [[nodiscard]] bool quiet() const {
    std::uint64_t ends = 0, begins = 0;
    if (HOP_MUTANT("run_group: beginnings are counted first")) {
      // order: relaxed, both; the defect.
      for (std::size_t i = 0; i < seats_; ++i) begins += counts_[i].spawned.load(std::memory_order_relaxed);
      begins += outside_.load(std::memory_order_relaxed);
      for (std::size_t i = 0; i < seats_; ++i) ends += counts_[i].finished.load(std::memory_order_acquire);
      return ends == begins;
    }
    // order: acquire. pairs: finished(), release. S9: the beginnings read below are those of all these ends, or later.
    for (std::size_t i = 0; i < seats_; ++i) ends += counts_[i].finished.load(std::memory_order_acquire);
    // order: relaxed, both loads. pairs: spawned(), by the acquires above. S9.
    for (std::size_t i = 0; i < seats_; ++i) begins += counts_[i].spawned.load(std::memory_order_relaxed);
    return ends == begins + outside_.load(std::memory_order_relaxed);
  }

 private:
  struct alignas(base::cache_line) seat {
    base::atomic<std::uint64_t> spawned{0};
    base::atomic<std::uint64_t> finished{0};
  };

  HOP_NOINLINE void tell() {
    // pairs: the same of others. S9: of two that are through at once, one sees that the other is, too.
    if (!HOP_MUTANT("run_group: tell without a fence")) base::fence_seq_cst();
    while (HOP_MUTANT("run_group: tell does not look whether all are through") || quiet()) {
      // order: acq_rel. pairs: close(), tell() of others. S9: one of them wakes it.
      waiter* const w = closing_.exchange(nullptr, std::memory_order_acq_rel);
      if (w == nullptr) return;
      // Between the two the group may have come to its end without us, and begun and been closed anew: then this is a later
      // waiter. So look again, now that nobody else can wake it; if its tasks live, it goes back as in close().
      if (HOP_MUTANT("run_group: tell does not look again") ||
          HOP_MUTANT("run_group: tell does not look whether all are through") || quiet())
        return wake(*w);
      // order: release. pairs: finished(), acquire. S9.
      closing_.store(w, std::memory_order_release);
      // pairs: the light fence in finished(). S9.
      if (!HOP_MUTANT("run_group: put back without the heavy fence")) dear_fence();
    }
  }
  void dear_fence() const {
    if (heavy_) {
      base::fence_heavy();
    } else {
      base::fence_seq_cst();
    }
  }
  HOP_EXPORT static void wake(waiter& w);

  std::size_t seats_;
  std::unique_ptr<seat[]> counts_;
  const bool heavy_ = base::fence_heavy_works();  // else both sides pay
  alignas(base::cache_line) base::atomic<std::uint64_t> outside_{0};
  alignas(base::cache_line) base::atomic<waiter*> closing_{nullptr};
};

}  // namespace hop::sched
