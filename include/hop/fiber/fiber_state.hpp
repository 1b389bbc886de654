// The life of a fiber as one word: a state and the latch of an unpark that came before its park. One function per arrow.
// Who holds the word does not own the fiber; each arrow says who may take it. Protocols and orderings: src/fiber/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/mutant.hpp>

namespace hop::fiber {

enum class fiber_state : std::uint8_t {
  created,  // known to its creator alone; on no queue; has never run
  queued,  // on exactly one run queue, or in the hands of the one thread that must put it there; only the popper may run it
  running,  // owned by one worker, which stands on its stack
  parking,  // will not go on by itself; the worker still stands on its stack, so it is on no queue
  parked,   // off every queue, its stack at rest; exactly one unpark() wins
  done,     // will never run again; its stack may be reused once the worker has left it
};
inline constexpr std::size_t fiber_state_count = 6;

[[nodiscard]] constexpr std::string_view to_string(fiber_state s) noexcept {
  constexpr std::array<std::string_view, fiber_state_count> names{"created", "queued", "running",
                                                                  "parking", "parked", "done"};
  return names[static_cast<std::size_t>(s)];
}

// Every arrow there is. The latch is no arrow: it changes while the state stays.
struct fiber_edge {
  fiber_state from;
  fiber_state to;
};
inline constexpr std::array<fiber_edge, 7> legal_fiber_edges{{
    {fiber_state::created, fiber_state::queued},   // enqueue_new
    {fiber_state::queued, fiber_state::running},   // begin_run
    {fiber_state::running, fiber_state::parking},  // begin_park
    {fiber_state::parking, fiber_state::parked},   // commit_park
    {fiber_state::parking, fiber_state::queued},   // unpark: the parking worker enqueues
    {fiber_state::parked, fiber_state::queued},    // unpark: the caller enqueues
    {fiber_state::running, fiber_state::done},     // finish
}};

[[nodiscard]] constexpr bool is_legal(fiber_state from, fiber_state to) noexcept {
  for (const fiber_edge& e : legal_fiber_edges) {
    if (e.from == from && e.to == to) return true;
  }
  return false;
}

class fiber_word {
 public:
  fiber_word() = default;
  explicit fiber_word(fiber_state first) : word_(static_cast<std::uint32_t>(first)) {}
  fiber_word(const fiber_word&) = delete;
  fiber_word& operator=(const fiber_word&) = delete;

  // For reports and asserts: true at some moment, perhaps no longer.
  [[nodiscard]] fiber_state state() const {
    return state_of(
        word_.load(std::memory_order_relaxed));  // order: relaxed. pairs: nothing. F1: a report publishes nothing
  }
  [[nodiscard]] bool latched() const {
    return (word_.load(std::memory_order_relaxed) & latch) !=
           0;  // order: relaxed. pairs: nothing. F1: a report publishes nothing
  }

  // created -> queued. By the creator, who then puts the fiber on a queue.
  void enqueue_new() {
    std::uint32_t old = bits(fiber_state::created);
    // order: release, relaxed. pairs: begin_run(). F2: the runner sees the fiber as its creator left it.
    const bool ok = word_.compare_exchange_strong(old, bits(fiber_state::queued), std::memory_order_release,
                                                  std::memory_order_relaxed);
    HOP_ASSERT(ok, "fiber: enqueue_new() of a fiber that is not new");
  }

  // queued -> running. By whoever took it off a queue. False: it was not queued, so this was a duplicate; leave it alone.
  [[nodiscard]] bool begin_run() {
    std::uint32_t old =
        word_.load(std::memory_order_relaxed);  // order: relaxed. pairs: nothing; the exchange below decides (F2)
    while (state_of(old) == fiber_state::queued) {
      // order: acquire, relaxed. pairs: enqueue_new(), commit_park(), unpark(). F2: we see what its creator, its last run
      // and the unparker wrote.
      if (word_.compare_exchange_weak(old, with(old, fiber_state::running), std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // running -> parking. By the fiber itself, which must then leave its stack at once. False: an unpark() had come before;
  // it is used up, the fiber runs on.
  [[nodiscard]] bool begin_park() {
    std::uint32_t old =
        word_.load(std::memory_order_relaxed);  // order: relaxed. pairs: nothing; the exchange below decides (F3)
    for (;;) {
      HOP_ASSERT(state_of(old) == fiber_state::running, "fiber: begin_park() of a fiber that does not run");
      const bool was_latched = (old & latch) != 0;
      const std::uint32_t next = was_latched ? old & ~latch : bits(fiber_state::parking);
      // order: acq_rel, relaxed. pairs: unpark(). F3: using up a latch shows what every unparker so far wrote.
      if (word_.compare_exchange_weak(old, next, std::memory_order_acq_rel, std::memory_order_relaxed))
        return !was_latched;
    }
  }

  // parking -> parked. By the worker that ran the fiber, once it stands on another stack. False: an unpark() came in
  // between and the fiber is queued; this worker must put it on a queue, because the unparker did not (F4).
  [[nodiscard]] bool commit_park() {
    if (HOP_MUTANT("fiber_word: commit overwrites an unpark")) {
      word_.store(bits(fiber_state::parked),
                  std::memory_order_release);  // order: release. pairs: unpark(). F5: broken on purpose
      return true;
    }
    std::uint32_t old = bits(fiber_state::parking);
    // order: release, acquire. pairs: unpark(), begin_run(). F5: whoever runs it next finds the saved stack whole; when the
    // unparker was first, we see what it wrote before we enqueue.
    if (word_.compare_exchange_strong(old, bits(fiber_state::parked), std::memory_order_release,
                                      std::memory_order_acquire))
      return true;
    HOP_ASSERT(state_of(old) == fiber_state::queued, "fiber: commit_park() of a fiber that was not parking");
    return false;
  }

  // parked | parking -> queued; running | queued: sets the latch. By anybody, any number of times, as long as the fiber
  // is not done. True: the caller must put the fiber on a queue.
  [[nodiscard]] bool unpark() {
    std::uint32_t old =
        word_.load(std::memory_order_relaxed);  // order: relaxed. pairs: nothing; the exchange below decides (F3)
    for (;;) {
      std::uint32_t next = 0;
      switch (state_of(old)) {
        case fiber_state::parked:
        case fiber_state::parking:
          next = with(old, fiber_state::queued);
          break;
        case fiber_state::running:
        case fiber_state::queued:
          next = old | latch;
          break;
        case fiber_state::created:
        case fiber_state::done:
          HOP_ASSERT(false, "fiber: unpark() of a fiber that is new or done");
          return false;
      }
      if (HOP_MUTANT("fiber_word: unpark of a latched word writes nothing") && next == old) return false;
      // order: acq_rel, relaxed. pairs: begin_park(), begin_run(). F3: written even when the latch is set already, so that
      // the fiber that uses the latch up sees what this caller wrote and not only what the first one did.
      if (word_.compare_exchange_weak(old, next, std::memory_order_acq_rel, std::memory_order_relaxed)) break;
    }
    if (HOP_MUTANT("fiber_word: unparker enqueues a parking fiber") && state_of(old) == fiber_state::parking)
      return true;
    return state_of(old) == fiber_state::parked;
  }

  // Forgets an unpark that came while running. By the fiber itself, when it starts a wait that must not be cut short by
  // the leavings of an earlier one. True: there was one.
  bool clear_latch() {
    // order: acq_rel. pairs: unpark(). F3: what the forgotten unparkers wrote is seen.
    const std::uint32_t old = word_.fetch_and(~latch, std::memory_order_acq_rel);
    HOP_ASSERT(state_of(old) == fiber_state::running, "fiber: clear_latch() of a fiber that does not run");
    return (old & latch) != 0;
  }

  // running -> done. By the fiber itself, as its last act but the switch away.
  void finish() {
    // order: acq_rel. pairs: begin_run() of none; unpark() asserts on it. F6: nothing follows done.
    const std::uint32_t old = word_.exchange(bits(fiber_state::done), std::memory_order_acq_rel);
    HOP_ASSERT(state_of(old) == fiber_state::running, "fiber: finish() of a fiber that does not run");
  }

 private:
  static constexpr std::uint32_t latch = 0x100;
  static constexpr std::uint32_t state_mask = 0xff;

  static constexpr std::uint32_t bits(fiber_state s) noexcept { return static_cast<std::uint32_t>(s); }
  static constexpr fiber_state state_of(std::uint32_t word) noexcept {
    return static_cast<fiber_state>(word & state_mask);
  }
  static constexpr std::uint32_t with(std::uint32_t word, fiber_state s) noexcept {
    return (word & ~state_mask) | bits(s);
  }

  base::atomic<std::uint32_t> word_{bits(fiber_state::created)};
};

}  // namespace hop::fiber
