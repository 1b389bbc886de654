// A worker's newest work. The owner pushes and pops at the bottom of a private part, without a read-modify-write and without a
// fence instruction; thieves take the oldest of a shared part. Work becomes shared when somebody asks for it, and is taken by
// force from an owner that does not answer. src/sched/README.md has the steps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <hop/base/assert.hpp>
#include <hop/base/asymmetric_fence.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/spin_hint.hpp>

namespace hop::sched {

// `Capacity` is a power of two, at most 16384: positions in the shared word have 16 bits.
template <class T, std::uint32_t Capacity>
class deque {
  static_assert(std::has_single_bit(Capacity) && Capacity <= 16384, "hop::sched::deque: capacity");

 public:
  deque() = default;
  deque(const deque&) = delete;
  deque& operator=(const deque&) = delete;
  [[nodiscard]] static constexpr std::uint32_t capacity() noexcept { return Capacity; }

  // --- the owner ---

  // False: full, nothing done. Look at asked() afterwards, unless the next thing is a pop.
  [[nodiscard]] HOP_ALWAYS_INLINE bool push(T* t) {
    const std::uint32_t b = bottom_.load(std::memory_order_relaxed);  // order: relaxed; only the owner writes it (S5)
    if (HOP_UNLIKELY(b == room_end_) && !find_room(b)) return false;
    slots_[b & mask].store(t, std::memory_order_relaxed);  // order: relaxed. pairs: the release below. S4
    // order: release. pairs: force(), acquire. S4: who takes it by force sees the task whole.
    bottom_.store(b + 1, std::memory_order_release);
    return true;
  }

  // The newest, or nullptr. tell() is called when something was shared on the way: somebody may be woken for it.
  template <class Tell>
  [[nodiscard]] HOP_ALWAYS_INLINE T* pop(Tell&& tell) {
    const std::uint32_t b = bottom_.load(std::memory_order_relaxed);  // order: relaxed; only the owner writes it (S5)
    if (b == split_) return pop_shared();
    return pop_private(b - 1, tell);
  }

  // Takes `t` if it is the newest. False: somebody has it, or it lies deeper.
  template <class Tell>
  [[nodiscard]] HOP_ALWAYS_INLINE bool pop_if(T* t, Tell&& tell) {
    const std::uint32_t b = bottom_.load(std::memory_order_relaxed);  // order: relaxed; only the owner writes it (S5)
    // order: relaxed. Our own store. A stale `t` in a slot that was stolen is told apart below: nothing shared is left then.
    if (slots_[(b - 1) & mask].load(std::memory_order_relaxed) != t) return false;
    T* const got = b == split_ ? pop_shared() : pop_private(b - 1, tell);
    HOP_DEBUG_ASSERT(got == nullptr || got == t, "deque: the newest slot was not the newest task");
    return got != nullptr;
  }

  // Somebody wants work that is private now: answer() soon.
  [[nodiscard]] HOP_ALWAYS_INLINE bool asked() const {
    // order: relaxed. pairs: ask(). A hint; answer() settles it.
    return asked_.load(std::memory_order_relaxed) != quiet;
  }

  // Shares half of what is private. True: something is shared now that was not. With nothing private a request stays.
  bool answer() {
    // order: relaxed. pairs: force(). settle() acquires.
    if (asked_.load(std::memory_order_relaxed) >= forcing) settle();
    const std::uint32_t before = private_count();
    if (before == 0) return false;
    if (!clear_request()) settle();
    // Counted anew: a force may have shared it all meanwhile, and what lies beyond bottom must never be.
    const std::uint32_t n = HOP_MUTANT("deque: answer counts before it settles") ? before : private_count();
    return share_at_most((n + 1) / 2);
  }
  // Shares everything. True as above.
  bool share_all() { return share_at_most(private_count()); }
  [[nodiscard]] bool empty() const {
    // order: relaxed, both. Seen by the owner: thieves only ever make it emptier.
    const std::uint64_t w = shared_.load(std::memory_order_relaxed);
    return shared_count(w) == 0 && static_cast<std::uint16_t>(bottom_.load(std::memory_order_relaxed)) == split_of(w);
  }

  // --- anybody else ---

  static constexpr std::uint32_t lost = ~std::uint32_t{0};

  // Takes up to `most` of the oldest, at most half of what is shared; how many. `lost`: somebody was faster, try again.
  [[nodiscard]] std::uint32_t steal(T** out, std::uint32_t most) {
    // order: acquire. pairs: share_at_most(), take_back(), force(), release. S4: what was shared is seen whole.
    std::uint64_t w = shared_.load(std::memory_order_acquire);
    const std::uint32_t n = shared_count(w);
    if (n == 0) return 0;
    const std::uint32_t k = std::min<std::uint32_t>(most, (n + 1) / 2);
    const std::uint32_t top = top_of(w);
    // order: relaxed. pairs: push(). S5: unchanged as long as the word is, which the exchange below finds out.
    for (std::uint32_t i = 0; i < k; ++i) out[i] = slots_[(top + i) & mask].load(std::memory_order_relaxed);
    // order: release, relaxed. pairs: share_at_most(), take_back(), find_room(), acquire. S5: the slots were read before the owner
    // uses them again.
    const bool ok = shared_.compare_exchange_strong(w, pack(version_of(w), top + k, split_of(w)),
                                                    std::memory_order_release, std::memory_order_relaxed);
    return ok ? k : lost;
  }

  [[nodiscard]] bool has_shared() const {
    return shared_count(shared_.load(std::memory_order_relaxed)) != 0;  // order: relaxed; a hint
  }
  [[nodiscard]] bool has_private() const {
    // order: relaxed, both; a hint.
    const std::uint64_t w = shared_.load(std::memory_order_relaxed);
    return static_cast<std::uint16_t>(bottom_.load(std::memory_order_relaxed)) != split_of(w);
  }
  void ask() {
    std::uint32_t none = quiet;
    // order: relaxed, both. pairs: asked(). A request publishes nothing.
    if (asked_.load(std::memory_order_relaxed) == quiet)
      asked_.compare_exchange_strong(none, requested, std::memory_order_relaxed, std::memory_order_relaxed);
  }

  // A request that stands although there is something private: the owner has not come by since.
  [[nodiscard]] bool unanswered() const {
    return asked_.load(std::memory_order_relaxed) == requested && has_private();  // order: relaxed; a hint
  }

  // Shares what an owner that does not answer keeps private. For one forcer at a time. True: something is shared now. Nothing is
  // done while the owner has not come by since the last one: it could not tell the two apart, and would miss the second split.
  bool force() {
    std::uint32_t old = asked_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
    do {
      if (old == forced && !HOP_MUTANT("deque: force upon a force")) return false;
      // order: acquire, relaxed. pairs: settle(), release. S6: the owner is through with an earlier force.
    } while (!asked_.compare_exchange_weak(old, forcing, std::memory_order_acquire, std::memory_order_relaxed));
    // pairs: the light fence in pop_private(). S1: the owner sees `forcing`, or we see its lowered bottom.
    if (!HOP_MUTANT("deque: force without the heavy fence")) base::fence_heavy();
    // order: acquire. pairs: push(), pop_private(). S4: the tasks below it are whole.
    const std::uint32_t b = bottom_.load(std::memory_order_acquire);
    std::uint64_t w = shared_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
    bool more = false;
    // Only ever up: an owner that has not looked yet may have pushed and shared beyond the bottom that we read, and one that is
    // just learning of an earlier force may have lowered its bottom below what that one shared.
    while (HOP_MUTANT("deque: force lowers the split") ? split_of(w) != static_cast<std::uint16_t>(b)
                                                       : static_cast<std::int16_t>(b - split_of(w)) > 0) {
      // order: release, relaxed. pairs: steal(), acquire. S4: what we saw of the tasks is seen by their thief.
      more = shared_.compare_exchange_weak(w, pack(next_version(w), top_of(w), b), std::memory_order_release,
                                           std::memory_order_relaxed);
      if (more) break;
    }
    // order: release. pairs: settle(), acquire. S6: the owner sees the new split.
    asked_.store(forced, std::memory_order_release);
    return more;
  }

 private:
  enum : std::uint32_t {
    quiet,
    requested,
    forcing,
    forced
  };
  static constexpr std::uint32_t mask = Capacity - 1;

  // version: 32 | top: 16 | split: 16. The version rises whenever the split moves, so a thief whose copy of a slot is out of date
  // fails: 2^32 moves within one steal would be needed to fool it.
  static constexpr std::uint64_t pack(std::uint32_t version, std::uint32_t top, std::uint32_t split) {
    return std::uint64_t{version} << 32 | (top & 0xffffu) << 16 | (split & 0xffffu);
  }
  static constexpr std::uint32_t version_of(std::uint64_t w) { return static_cast<std::uint32_t>(w >> 32); }
  static std::uint32_t next_version(std::uint64_t w) {
    return version_of(w) + (HOP_MUTANT("deque: the version stands still") ? 0 : 1);
  }
  static constexpr std::uint16_t top_of(std::uint64_t w) { return static_cast<std::uint16_t>(w >> 16); }
  static constexpr std::uint16_t split_of(std::uint64_t w) { return static_cast<std::uint16_t>(w); }
  static constexpr std::uint32_t shared_count(std::uint64_t w) {
    return static_cast<std::uint16_t>(split_of(w) - top_of(w));
  }

  [[nodiscard]] std::uint32_t private_count() const {
    return bottom_.load(std::memory_order_relaxed) - split_;  // order: relaxed; only the owner writes it (S5)
  }

  // Lowers bottom, then sees whether anybody wants something.
  HOP_ALWAYS_INLINE std::uint32_t lower_bottom(std::uint32_t b) {
    // order: release. pairs: force(), acquire. S4: what is below was pushed before.
    bottom_.store(b, std::memory_order_release);
    // pairs: the heavy fence in force(). S1: we see `forcing`, or it sees the lowered bottom.
    base::fence_light();
    return asked_.load(std::memory_order_relaxed);  // order: relaxed. pairs: force(), by the fences. S1.
  }

  // The slot at `b` is private as far as the owner knows.
  template <class Tell>
  HOP_ALWAYS_INLINE T* pop_private(std::uint32_t b, Tell&& tell) {
    const std::uint32_t state = lower_bottom(b);
    // A request stays until there is something to share besides what we take.
    if (HOP_UNLIKELY(state != quiet) && (state >= forcing || b != split_)) return pop_asked(b, tell);
    return slots_[b & mask].load(std::memory_order_relaxed);  // order: relaxed; our own store (S5)
  }

  template <class Tell>
  HOP_NOINLINE T* pop_asked(std::uint32_t b, Tell&& tell) {
    if (clear_request()) {
      if (share_at_most((private_count() + 1) / 2)) tell();
    } else {
      settle();
      if (static_cast<std::int32_t>(split_ - b) > 0) {     // forced before we had it: it is shared now, with all below
        bottom_.store(split_, std::memory_order_relaxed);  // order: relaxed. Nothing private is left. S5
        return pop_shared();
      }
    }
    return slots_[b & mask].load(std::memory_order_relaxed);  // order: relaxed; our own store (S5)
  }

  // Nothing private: the newer half of the shared part becomes so again, and its newest is ours.
  HOP_NOINLINE T* pop_shared() {
    if (!take_back()) return nullptr;
    const std::uint32_t b = bottom_.load(std::memory_order_relaxed);  // order: relaxed; only the owner writes it (S5)
    return pop_private(b - 1, [] {});
  }

  bool take_back() {
    // order: acquire. pairs: steal(), release. S5: thieves have read what they took.
    std::uint64_t w = shared_.load(std::memory_order_acquire);
    for (;;) {
      if (split_of(w) != static_cast<std::uint16_t>(split_)) {  // a force we had not noticed
        settle();
        w = shared_.load(std::memory_order_acquire);  // order: acquire. pairs: steal(). S5
        continue;
      }
      const std::uint32_t n = shared_count(w);
      if (n == 0) return false;
      const std::uint32_t split = split_ - (n + 1) / 2;
      // order: acq_rel, acquire. pairs: steal(). S5: a slot is ours only after thieves have read what they took.
      if (shared_.compare_exchange_weak(w, pack(next_version(w), top_of(w), split), std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
        split_ = split;
        return true;
      }
    }
  }

  // The oldest n of the private part become shared. False: there was nothing to share.
  bool share_at_most(std::uint32_t n) {
    if (n == 0) return false;
    std::uint64_t w = shared_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
    for (;;) {
      if (split_of(w) != static_cast<std::uint16_t>(split_)) {
        settle();  // it shared what was there then; what was pushed since is still private
        n = std::min(n, private_count());
        if (n == 0) return true;
        w = shared_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
        continue;
      }
      // order: acq_rel, relaxed. pairs: steal(). S4: what is shared is seen whole; S5 as in take_back().
      if (shared_.compare_exchange_weak(w, pack(next_version(w), top_of(w), split_ + n), std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
        split_ += n;
        return true;
      }
    }
  }

  // False: it was not a request but a force.
  bool clear_request() {
    std::uint32_t mine = requested;
    // order: relaxed, both. pairs: ask(). A request publishes nothing.
    return asked_.compare_exchange_strong(mine, quiet, std::memory_order_relaxed, std::memory_order_relaxed) ||
           mine == quiet;
  }

  // After a force: wait until it is done and learn the new split.
  HOP_NOINLINE void settle() {
    // order: acquire. pairs: force(), release. S6: the split it stored is seen below.
    std::uint32_t state = asked_.load(std::memory_order_acquire);
    while (state == forcing) {
      base::spin_hint();
      state = asked_.load(std::memory_order_acquire);  // order: acquire. pairs: as above
    }
    if (state == forced) {
      const std::uint64_t w = shared_.load(std::memory_order_relaxed);  // order: relaxed. pairs: the acquire above. S6
      split_ += static_cast<std::uint16_t>(split_of(w) - static_cast<std::uint16_t>(split_));
      // order: release, relaxed. pairs: force(), acquire. S6: the next force comes after this.
      asked_.compare_exchange_strong(state, quiet, std::memory_order_release, std::memory_order_relaxed);
    }
  }

  HOP_NOINLINE bool find_room(std::uint32_t b) {
    // order: acquire. pairs: steal(), release. S5: thieves have read the slots that we may use again.
    const std::uint64_t w = shared_.load(std::memory_order_acquire);
    // Counted from the bottom: our split is out of date after a force that we have not noticed, and then top may be beyond it.
    const std::uint32_t above = HOP_MUTANT("deque: room is counted from the split") ? split_ : b;
    const std::uint32_t top = above - static_cast<std::uint16_t>(static_cast<std::uint16_t>(above) - top_of(w));
    room_end_ = top + Capacity;
    return b != room_end_;
  }

  alignas(base::cache_line) base::atomic<std::uint32_t> bottom_{0};  // the owner's line
  std::uint32_t split_ = 0;                                          // as the owner knows it
  std::uint32_t room_end_ = Capacity;                                // bottom at which to look at top again
  alignas(base::cache_line) base::atomic<std::uint32_t> asked_{quiet};
  alignas(base::cache_line) base::atomic<std::uint64_t> shared_{0};
  alignas(base::cache_line) std::array<base::atomic<T*>, Capacity> slots_{};
};

}  // namespace hop::sched
