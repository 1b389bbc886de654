// How often things happened, worker by worker. The owner counts with a load and a store, anybody may read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>

namespace hop::obs {

// The one list: every table, report and exposition of counters is made from it. X(name, room, what it counts).
// A room that counts something new adds a line at the end of its group.
#define HOP_COUNTERS(X)                                                     \
  X(stacks_taken, "fiber", "stacks taken for a fiber")                      \
  X(stacks_returned, "fiber", "stacks given back")                          \
  X(switches, "fiber", "switches from one stack to another")                \
  X(migrations, "fiber", "fibers resumed on another thread than they left") \
  X(exceptions_carried, "fiber", "exceptions in flight over a switch")      \
  X(parks, "sched", "fibers parked")                                        \
  X(unparks, "sched", "parked fibers made runnable")                        \
  X(tasks_run, "sched", "tasks a worker's loop has called")                 \
  X(tasks_spawned, "sched", "tasks spawned")                                \
  X(tasks_finished, "sched", "spawned tasks that have ended")               \
  X(steals, "sched", "tasks taken from another worker")                     \
  X(sleeps, "sched", "times a worker went to sleep")                        \
  X(wakes, "sched", "sleeping workers woken")                               \
  X(spills, "sched", "times a deque was full and half of it put by")        \
  X(run_at_once, "sched", "tasks run by their maker: nothing had room")     \
  X(stack_waits, "sched", "waits for a stack that was refused")             \
  X(forced, "sched", "deques shared by force: their owner was stuck")       \
  X(blocked_seen, "sched", "workers found waiting in the kernel")           \
  X(spares, "sched", "substitutes for workers stuck in the kernel")         \
  X(reliefs, "sched", "helpers for what waited while all workers computed") \
  X(rewakes, "sched", "lost wakes made good")

enum class counter : std::uint16_t {
#define HOP_COUNTER_ENUM(name, room, what) name,
  HOP_COUNTERS(HOP_COUNTER_ENUM)
#undef HOP_COUNTER_ENUM
};

struct counter_info {
  std::string_view name;
  std::string_view room;
  std::string_view what;
};

#define HOP_COUNTER_INFO(name, room, what) counter_info{#name, room, what},
inline constexpr std::array counter_list{HOP_COUNTERS(HOP_COUNTER_INFO)};
#undef HOP_COUNTER_INFO
inline constexpr std::size_t counter_count = counter_list.size();

[[nodiscard]] constexpr const counter_info& info_of(counter c) noexcept {
  return counter_list[static_cast<std::size_t>(c)];
}

// One worker's counters, on cache lines of their own. One thread at a time may add; a new owner must come after the old one
// in happens-before (a worker's slot is handed over by a join or a lock).
class alignas(base::cache_line) counter_block {
 public:
  HOP_ALWAYS_INLINE void add(counter c, std::uint64_t n = 1) noexcept {
    base::atomic<std::uint64_t>& v = values_[static_cast<std::size_t>(c)];
    // order: relaxed both. pairs: value(). O1: one writer, so a load and a store lose nothing; nothing else hangs on it.
    v.store(v.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  [[nodiscard]] std::uint64_t value(counter c) const noexcept {
    // order: relaxed. pairs: add(). O1: readings of one word by one thread are in its order.
    return values_[static_cast<std::size_t>(c)].load(std::memory_order_relaxed);
  }

 private:
  std::array<base::atomic<std::uint64_t>, counter_count> values_{};
};
static_assert(alignof(counter_block) == base::cache_line);

// Totals at some moment: a plain value.
struct counter_totals {
  std::array<std::uint64_t, counter_count> values{};
  [[nodiscard]] std::uint64_t operator[](counter c) const noexcept { return values[static_cast<std::size_t>(c)]; }
};

// The blocks of all workers; lives as long as any of them.
class counter_set {
 public:
  explicit counter_set(std::size_t workers) : count_(workers), blocks_(new counter_block[workers]) {}

  [[nodiscard]] std::size_t workers() const noexcept { return count_; }
  [[nodiscard]] counter_block& block(std::size_t worker) noexcept { return at(worker); }
  [[nodiscard]] const counter_block& block(std::size_t worker) const noexcept { return at(worker); }

  // Any thread, any time. While workers count, a total lies between the true ones at the begin and the end of the call.
  [[nodiscard]] std::uint64_t total(counter c) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += blocks_[i].value(c);
    return sum;
  }
  [[nodiscard]] counter_totals totals() const noexcept {
    counter_totals t;
    for (std::size_t i = 0; i < counter_count; ++i) t.values[i] = total(static_cast<counter>(i));
    return t;
  }

 private:
  [[nodiscard]] counter_block& at(std::size_t worker) const noexcept {
    HOP_ASSERT(worker < count_, "counter_set: no such worker");
    return blocks_[worker];
  }

  std::size_t count_;
  std::unique_ptr<counter_block[]> blocks_;
};

// A line for each counter that is not zero: name, total, each worker's share when there are several, what it counts.
[[nodiscard]] HOP_EXPORT std::string counter_table(const counter_set& set);

}  // namespace hop::obs
