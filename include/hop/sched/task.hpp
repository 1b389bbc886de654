// A task: a record to run once. Where it lives is its maker's business: the frame of a join, a block of spawn, a flow.
#pragma once

#include <cstdint>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/plain.hpp>
#include <hop/fiber/stack.hpp>

namespace hop {

class cancel_scope;

// Three classes; a lower one ages, so it is delayed and not starved.
enum class priority : std::uint8_t {
  high,    // somebody is waiting for the answer
  normal,  // the default
  low,     // when there is nothing better to do
};
inline constexpr std::size_t priority_count = 3;

}  // namespace hop

namespace hop::sched {

class task;
class worker;
struct flow;
class run_group;

// What a task inherits from its maker. Immutable once shared; owned by whoever made it, which outlives the tasks that point to it.
struct task_context {
  run_group* group = nullptr;
  cancel_scope* scope = nullptr;
  base::deadline until = base::never;
  priority level = priority::normal;
  fiber::stack_class stack = fiber::stack_class::small;
  const task_context* for_spawned =
      nullptr;           // what spawned tasks get instead: joins need the stack of their joiner, they do not
  bool passing = false;  // lies in the record of one task, so what that task spawns gets a copy
};

// What there is to know about tasks of one type. Static.
struct alignas(8) task_kind {
  void (*run)(task&, worker&);  // on the worker's present stack; may park, and end on another worker
  const char* name;
};

// One who waits for a task: a flow that is off its stack, or a thread asleep on `word`. Lives in the waiting frame.
struct waiter {
  flow* who = nullptr;  // nullptr: a thread
  waiter* next = nullptr;
  // Of the task, if this is the first to wait for it: its word has room for one of the two.
  base::plain<const task_kind*> kind{nullptr};
  base::atomic<std::uint32_t> word{0};  // of a thread: 1 when it may go on

  // For a thread.
  void sleep() {
    // order: acquire. pairs: wake_thread(), release. S4: what the task wrote is seen.
    while (word.load(std::memory_order_acquire) == 0) base::futex_wait(word, 0);
  }
  void wake_thread() {
    base::atomic<std::uint32_t>& w = word;
    // order: release. pairs: sleep(), acquire. S4. After this the waiter may be gone; waking an address is harmless then.
    w.store(1, std::memory_order_release);
    base::futex_wake(w, 1);
  }
};

class task {
 public:
  task(const task_kind& kind, const task_context* inherited) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(&kind)), context_(inherited) {}
  task(const task&) = delete;
  task& operator=(const task&) = delete;

  [[nodiscard]] const task_context* context() const noexcept { return context_; }
  void set_context(const task_context* c) noexcept { context_ = c; }

  // By who took it from a queue. A waiter that came before the run keeps the kind for us.
  [[nodiscard]] const task_kind& kind() const {
    // order: acquire. pairs: add_waiter(), release. S4: the waiter is seen whole; it stays until we finish.
    const std::uintptr_t w = word_.load(std::memory_order_acquire);
    const waiter* first = waiters_of(w);
    if (first == nullptr) return *reinterpret_cast<const task_kind*>(w & ~marks);
    while (first->next != nullptr) first = first->next;
    return *first->kind.get();
  }
  [[nodiscard]] bool is(const task_kind& k) const {
    // order: relaxed. As above; only tasks of flows are asked this by others, and nobody waits for those.
    return word_.load(std::memory_order_relaxed) == reinterpret_cast<std::uintptr_t>(&k);
  }

  // By its runner, at the end. The waiters there were; nobody can come after. `abandoned`: nobody will look at it again, the
  // runner frees it. Else it may be gone at once.
  struct ending {
    waiter* waiters;
    bool abandoned;
  };
  [[nodiscard]] ending finish() {
    // order: acq_rel. pairs: done(), add_waiter(), abandon(). S4: who has waited sees what the task wrote; we see the waiters
    // whole.
    const std::uintptr_t old = word_.exchange(finished, std::memory_order_acq_rel);
    return {waiters_of(old),
            (old & left_alone) != 0 && !HOP_MUTANT("task: finish does not see that it was left alone")};
  }
  // By its owner, who will not look again. True: it is done already, the owner frees it.
  [[nodiscard]] bool abandon() {
    // order: acq_rel. pairs: finish(). S1: exactly one of the two frees it, after the other is through with it.
    return (word_.fetch_or(left_alone, std::memory_order_acq_rel) & ~left_alone) == finished;
  }
  [[nodiscard]] bool done() const {
    // order: acquire. pairs: finish(). S4: what the task wrote is seen.
    return word_.load(std::memory_order_acquire) == finished;
  }
  // False: the task is done already, go on. True: `w` will be woken. By a flow only when nobody stands on its stack.
  [[nodiscard]] bool add_waiter(waiter& w) {
    // order: acquire. pairs: finish(). S4: when it is done already, what it wrote is seen.
    std::uintptr_t old = word_.load(std::memory_order_acquire);
    for (;;) {
      if (old == finished && !HOP_MUTANT("task: a waiter does not look whether it is done")) return false;
      w.next = HOP_MUTANT("task: a waiter replaces the others")
                   ? nullptr
                   : waiters_of(old);  // not looked into: it may be woken and gone by now
      if (w.next == nullptr) {
        w.kind.set(reinterpret_cast<const task_kind*>(old));
      } else if (HOP_MUTANT("task: a waiter looks into the one before it")) {
        w.kind.set(w.next->kind.get());
      }
      // order: release, acquire. pairs: finish(). S3: who finishes finds a flow that nobody stands on.
      if (word_.compare_exchange_weak(old, reinterpret_cast<std::uintptr_t>(&w) | waited, std::memory_order_release,
                                      std::memory_order_acquire))
        return true;
    }
  }

 private:
  static constexpr std::uintptr_t waited = 1;
  static constexpr std::uintptr_t finished = 2;
  static constexpr std::uintptr_t left_alone = 4;
  static constexpr std::uintptr_t marks = 7;
  static_assert(alignof(task_kind) >= 8 && alignof(waiter) >= 8);

  static waiter* waiters_of(std::uintptr_t w) {
    return (w & waited) != 0 ? reinterpret_cast<waiter*>(w & ~marks) : nullptr;
  }

  base::atomic<std::uintptr_t> word_;  // its kind; or its waiters | waited; or finished
  const task_context* context_;
};

// One that can stand in an inbox.
class linked_task : public task {
 public:
  using task::task;
  base::plain<linked_task*> next{nullptr};
  std::uint32_t arrived_us = 0;  // coarse, for ageing
};

}  // namespace hop::sched
