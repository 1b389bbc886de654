// The last events of one worker. The owner overwrites the oldest and never waits; a reader copies what is whole.
// One word, head_, is all the protocol there is; src/obs/README.md has the proof in six steps.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/mutant.hpp>
#include <hop/obs/event.hpp>

namespace hop::obs {

// What a reader got: events `next - events.size()` to `next - 1`, in order; the `lost` ones before them were overwritten.
struct event_batch {
  std::vector<event> events;
  std::uint64_t lost = 0;
  std::uint64_t next = 0;  // the `since` of the next read
};

class alignas(base::cache_line) event_ring {
 public:
  static constexpr std::size_t default_capacity = 1024;

  // `capacity` is a power of two, at least 2; capacity - 1 events can be read back. Off until enable(true).
  explicit event_ring(std::uint16_t worker, std::size_t capacity = default_capacity)
      : mask_(capacity - 1), slots_(new slot[capacity]), worker_(worker) {
    HOP_ASSERT(capacity >= 2 && std::has_single_bit(capacity),
               "an event ring's capacity is a power of two, at least 2");
  }

  // Any thread. O6: events of this very moment may still be written or left out.
  void enable(bool on) noexcept {
    // order: relaxed. pairs: enabled(). O6: a switch, not a message.
    enabled_.store(on, std::memory_order_relaxed);
  }
  [[nodiscard]] bool enabled() const noexcept {
    // order: relaxed. pairs: enable(). O6: a switch, not a message.
    return enabled_.load(std::memory_order_relaxed);
  }

  // The owner only. One load and a branch while off.
  HOP_ALWAYS_INLINE void emit(event_kind kind, std::uint64_t a = 0, std::uint64_t b = 0,
                              std::uint32_t small = 0) noexcept {
    if (HOP_UNLIKELY(enabled())) emit_now(kind, a, b, small);
  }

  // The owner only; as it stands, whether enabled or not.
  void write(const event& e) noexcept {
    // order: relaxed. Only the owner stores head_. O5.
    const std::uint64_t h = head_.load(std::memory_order_relaxed);
    // order: release fence. pairs: acquire fence in read(). O4: who sees a word stored below also sees head_ >= h, which the
    // last write() stored, and so knows that event h - capacity is gone.
    if (!HOP_MUTANT("event_ring: no release fence before the words")) base::fence_release();
    const words w = std::bit_cast<words>(e);
    slot& s = slots_[h & mask_];
    // order: relaxed. pairs: the same words in read(). O4: kept in place by the fence above and the release below.
    for (std::size_t i = 0; i < w.size(); ++i) s[i].store(w[i], std::memory_order_relaxed);
    // order: release. pairs: first load of head_ in read(). O5: events below head_ are written.
    head_.store(h + 1,
                HOP_MUTANT("event_ring: head stored relaxed") ? std::memory_order_relaxed : std::memory_order_release);
  }

  // Any thread. Events from number `since` on, as far as they are still there.
  [[nodiscard]] event_batch read(std::uint64_t since = 0) const {
    // order: acquire. pairs: release in write(). O5: the words of all events below `end` are written.
    const std::uint64_t end = head_.load(std::memory_order_acquire);
    const std::uint64_t begin = std::min(end, std::max(since, oldest_whole(end)));
    std::vector<words> copies(static_cast<std::size_t>(end - begin));
    for (std::uint64_t i = begin; i < end; ++i) {
      const slot& s = slots_[i & mask_];
      words& w = copies[static_cast<std::size_t>(i - begin)];
      // order: relaxed. pairs: the stores of the words in write(). O4: the fence below tells which are of one event.
      for (std::size_t k = 0; k < w.size(); ++k) w[k] = s[k].load(std::memory_order_relaxed);
    }
    // order: acquire fence. pairs: release fence in write(). O4: had a word above been newer, head_ below would say so.
    if (!HOP_MUTANT("event_ring: no acquire fence after the words")) base::fence_acquire();
    // order: relaxed; the fence above orders it. O4.
    const std::uint64_t now = HOP_MUTANT("event_ring: no second look") ? end : head_.load(std::memory_order_relaxed);
    const std::uint64_t first = std::clamp(oldest_whole(now), begin, end);
    event_batch out{{}, first - std::min(since, first), end};
    out.events.reserve(static_cast<std::size_t>(end - first));
    for (std::uint64_t i = first; i < end; ++i)
      out.events.push_back(std::bit_cast<event>(copies[static_cast<std::size_t>(i - begin)]));
    return out;
  }

  // How many were ever written.
  [[nodiscard]] std::uint64_t written() const noexcept {
    // order: relaxed. pairs: write(). O5: a count that never falls; nothing else hangs on it.
    return head_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::size_t capacity() const noexcept { return static_cast<std::size_t>(mask_ + 1); }
  [[nodiscard]] std::uint16_t worker() const noexcept { return worker_; }

 private:
  using words = std::array<std::uint64_t, 4>;
  using slot = std::array<base::atomic<std::uint64_t>, 4>;
  static_assert(sizeof(words) == sizeof(event));

  // With `head` events written, slot head mod capacity may be under way: capacity - 1 are whole.
  [[nodiscard]] std::uint64_t oldest_whole(std::uint64_t head) const noexcept {
    return head > mask_ ? head - mask_ : 0;
  }

  HOP_NOINLINE void emit_now(event_kind kind, std::uint64_t a, std::uint64_t b, std::uint32_t small) noexcept {
    write({static_cast<std::uint64_t>(base::clock::now().ns()), kind, worker_, small, a, b});
  }

  base::atomic<std::uint64_t> head_{0};
  std::uint64_t mask_;
  std::unique_ptr<slot[]> slots_;
  base::atomic<bool> enabled_{false};
  std::uint16_t worker_;
};

}  // namespace hop::obs
