// Who sleeps, who looks for work, and a counter that tells a worker about to sleep whether anything was posted since it said so.
// src/sched/README.md, Sleep, has the steps; the model checker has their proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/mutant.hpp>

namespace hop::sched {

// events: 32 | inactive: 16 | sleeping: 16. Inactive are those that have found no work, sleeping ones included.
struct sleep_counts {
  std::uint64_t word = 0;
  [[nodiscard]] constexpr std::uint32_t sleeping() const noexcept { return static_cast<std::uint32_t>(word & 0xffffu); }
  [[nodiscard]] constexpr std::uint32_t inactive() const noexcept {
    return static_cast<std::uint32_t>(word >> 16 & 0xffffu);
  }
  [[nodiscard]] constexpr std::uint32_t events() const noexcept { return static_cast<std::uint32_t>(word >> 32); }
  // Even: somebody announced that it will sleep, and nothing was posted since.
  [[nodiscard]] constexpr bool sleepy() const noexcept { return events() % 2 == 0; }
  [[nodiscard]] constexpr std::uint32_t looking() const noexcept { return inactive() - sleeping(); }

  static constexpr std::uint64_t one_sleeping = 1;
  static constexpr std::uint64_t one_inactive = std::uint64_t{1} << 16;
  static constexpr std::uint64_t one_event = std::uint64_t{1} << 32;  // wraps by falling off the end
};

class sleep_board {
 public:
  static constexpr std::size_t most_workers = 0xffff;

  // `first_event`: odd; another value than 1 is for tests of its wrap.
  explicit sleep_board(std::size_t workers, std::uint32_t first_event = 1)
      : counts_(std::uint64_t{first_event} << 32), count_(workers), beds_(new bed[workers]) {
    HOP_ASSERT(workers <= most_workers, "sleep_board: more workers than a count has room for");
  }
  sleep_board(const sleep_board&) = delete;
  sleep_board& operator=(const sleep_board&) = delete;

  [[nodiscard]] static constexpr std::size_t bed_bytes() noexcept { return sizeof(bed); }
  [[nodiscard]] sleep_counts counts() const {
    return {counts_.load(std::memory_order_relaxed)};  // order: relaxed; a hint, or behind a fence of the caller's
  }

  // --- a worker that looks for work ---

  // It has found none.
  void start_looking() {
    // order: seq_cst. pairs: post(). S2: a poster that counts on us to look finds us looking afterwards.
    counts_.fetch_add(sleep_counts::one_inactive, std::memory_order_seq_cst);
  }
  // It has found some. True: it was the last one looking and others sleep, so another should be woken.
  [[nodiscard]] bool work_found() {
    // order: seq_cst. pairs: post(). S2: a poster that counted on us is answered by the wake we may owe.
    const sleep_counts old{counts_.fetch_sub(sleep_counts::one_inactive, std::memory_order_seq_cst)};
    if (old.looking() != 1 || old.sleeping() == 0) return false;
    // pairs: the fences in try_sleep() and make_active(). S2: who was asleep for a poster that counted on us is so for our wake.
    if (!HOP_MUTANT("sleep_board: no fence before the wake that is owed")) base::fence_seq_cst();
    return !HOP_MUTANT("sleep_board: who finds work wakes nobody");
  }
  // It will sleep unless something comes. The ticket goes to try_sleep(); look once more in between.
  [[nodiscard]] std::uint32_t announce() {
    std::uint64_t old = counts_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
    for (;;) {
      const bool toggle = HOP_MUTANT("sleep_board: announcing makes the counter odd") ? sleep_counts{old}.sleepy()
                                                                                      : !sleep_counts{old}.sleepy();
      const std::uint64_t next = toggle ? old + sleep_counts::one_event : old;
      // order: seq_cst, relaxed. pairs: post(). S2: a later post changes the counter we return.
      if (counts_.compare_exchange_weak(old, next, std::memory_order_seq_cst, std::memory_order_relaxed))
        return sleep_counts{next}.events();
    }
  }
  // Sleeps until woken or `until`. False at once: something was posted since the announcement, or `last_look()`, at every queue
  // that posts are about, found something. Whoever sleeps is inactive before and after.
  template <class LastLook>
  bool try_sleep(std::size_t me, std::uint32_t ticket, LastLook&& last_look, base::deadline until = base::never) {
    if (!enter_count(ticket)) return false;
    lie_down(me);
    if (last_look()) {
      leave_bed(me);
      return false;
    }
    sleep_in(me, until);
    return true;
  }

  // --- who posts work ---

  // `jobs` pieces of work were put into queues. Wakes up to so many, less those who are looking anyway. How many were woken.
  std::size_t post(std::size_t jobs = 1) {
    const sleep_counts seen = make_active();
    if (seen.sleeping() == 0 || seen.looking() >= jobs) return 0;
    return wake(jobs - seen.looking());
  }
  // The same for work from outside: always wakes one, if any sleeps; rather the one at `first` than another.
  std::size_t post_from_outside(std::size_t first = 0) {
    const sleep_counts seen = make_active();
    return seen.sleeping() == 0 ? 0 : wake(1, first);
  }
  [[nodiscard]] bool sleeps(std::size_t who) const {
    return who < count_ && beds_[who].state.load(std::memory_order_relaxed) == asleep;  // order: relaxed; a hint
  }
  // Wakes up to n sleepers, from the one at `first` on; how many.
  std::size_t wake(std::size_t n, std::size_t first = 0) {
    std::size_t woken = 0;
    for (std::size_t k = 0, i = first < count_ ? first : 0; k < count_ && woken < n;
         ++k, i = i + 1 == count_ ? 0 : i + 1)
      woken += wake_one(i) ? 1u : 0u;
    return woken;
  }
  // Wakes this one, if it sleeps.
  bool wake_one(std::size_t who) {
    base::atomic<std::uint32_t>& state = beds_[who].state;
    std::uint32_t seen = asleep;
    if (state.load(std::memory_order_relaxed) != asleep) return false;  // order: relaxed; the exchange below decides
    // order: acquire, relaxed. pairs: try_sleep(), release. S7: it is in the count that we take it out of.
    if (!state.compare_exchange_strong(seen, waking, std::memory_order_acquire, std::memory_order_relaxed))
      return false;
    const bool early = HOP_MUTANT("sleep_board: up before it is out of the count");
    if (early) state.store(awake, std::memory_order_release);  // order: release; the defect
    // order: seq_cst. pairs: enter_count(). S7: the waker takes it out of the count, and only then lets it get up: else it could
    // be in the count twice, and who posts then takes it for one that looks.
    counts_.fetch_sub(sleep_counts::one_sleeping, std::memory_order_seq_cst);
    // order: release. pairs: try_sleep(), leave_bed(), acquire. S2: what was posted before is seen by who wakes.
    if (!early) state.store(awake, std::memory_order_release);
    base::futex_wake(state, 1);
    return true;
  }

 private:
  enum : std::uint32_t {
    awake,
    asleep,
    waking
  };
  struct alignas(base::cache_line) bed {
    base::atomic<std::uint32_t> state{awake};
  };

  bool enter_count(std::uint32_t ticket) {
    std::uint64_t old = counts_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
    for (;;) {
      if (sleep_counts{old}.events() != ticket) return false;
      // order: seq_cst, relaxed. pairs: make_active(). S2: a post after our announcement has changed the counter, or comes
      // after this and sees us.
      if (counts_.compare_exchange_weak(old, old + sleep_counts::one_sleeping, std::memory_order_seq_cst,
                                        std::memory_order_relaxed))
        return true;
    }
  }

  void lie_down(std::size_t me) {
    // order: release. pairs: wake_one(), acquire. S7: after the count, so that a waker never takes out who is not in. Who posts in
    // between finds nobody to wake, but then we see what it posted: the fences of both sides order that.
    beds_[me].state.store(asleep, std::memory_order_release);
    // pairs: the fence in make_active(). S2: we see what was posted, or the poster sees us.
    if (!HOP_MUTANT("sleep_board: no fence before the last look")) base::fence_seq_cst();
  }

  void sleep_in(std::size_t me, base::deadline until) {
    // order: acquire. pairs: wake_one(), release. S2: what was posted before the wake is seen after it.
    for (std::uint32_t seen; (seen = beds_[me].state.load(std::memory_order_acquire)) != awake;) {
      if (base::futex_wait(beds_[me].state, seen, until) == base::futex_end::timed_out) {
        leave_bed(me);
        break;
      }
    }
  }

  // Gets up without being woken; unless a waker is just at it: then that does the counting, and we wait until it has.
  void leave_bed(std::size_t me) {
    base::atomic<std::uint32_t>& state = beds_[me].state;
    std::uint32_t seen = asleep;
    // order: acquire, acquire. pairs: wake_one(). S7: exactly one of the two subtracts. (Success needs no acquire, but g++ 12
    // refuses a failure order that is stronger.)
    if (state.compare_exchange_strong(seen, awake, std::memory_order_acquire, std::memory_order_acquire)) {
      counts_.fetch_sub(sleep_counts::one_sleeping, std::memory_order_seq_cst);  // order: seq_cst. pairs: post(). S7
      return;
    }
    if (HOP_MUTANT("sleep_board: both take it out of the count"))
      counts_.fetch_sub(sleep_counts::one_sleeping, std::memory_order_seq_cst);  // order: seq_cst; the defect
    while (seen != awake) {
      base::futex_wait(state, seen);
      seen = state.load(std::memory_order_acquire);  // order: acquire. pairs: wake_one(), release. S2
    }
  }

  // Makes the counter odd if it is even; the counts at that moment.
  sleep_counts make_active() {
    // pairs: the fence in try_sleep(). S2: the sleeper sees what was posted, or we see the sleeper.
    if (!HOP_MUTANT("sleep_board: no fence before posting")) base::fence_seq_cst();
    std::uint64_t old = counts_.load(std::memory_order_seq_cst);  // order: seq_cst. pairs: enter_count(). S2
    // order: seq_cst, both. pairs: announce(), enter_count(). S2: an announcement before this is void.
    while (sleep_counts{old}.sleepy() &&
           !counts_.compare_exchange_weak(old, old + sleep_counts::one_event, std::memory_order_seq_cst,
                                          std::memory_order_seq_cst)) {
    }
    return {old};
  }

  alignas(base::cache_line) base::atomic<std::uint64_t> counts_;  // its events begin odd: nobody has announced
  std::size_t count_;
  std::unique_ptr<bed[]> beds_;
};

}  // namespace hop::sched
