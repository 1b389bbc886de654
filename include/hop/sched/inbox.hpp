// Tasks from other threads, oldest first. Pushing is one compare-and-swap, from any thread; taking never waits.
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/plain.hpp>

namespace hop::sched {

// T has a member `base::plain<T*> next`, ours while it is in here.
template <class T>
class inbox {
 public:
  inbox() = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;

  // Any thread. Never waits, never fails.
  void push(T* t) {
    T* old = fresh_.load(std::memory_order_relaxed);  // order: relaxed; the exchange below decides
    do t->next.set(old);
    // order: release, relaxed. pairs: refill(), acquire. S4: who takes it sees it whole.
    while (!fresh_.compare_exchange_weak(old, t, std::memory_order_release, std::memory_order_relaxed));
  }

  // Any thread. The oldest, or nullptr: nothing there, or somebody else is just taking.
  [[nodiscard]] T* take() {
    if (seems_empty()) return nullptr;
    if (!try_lock() && !HOP_MUTANT("inbox: taking excludes nobody")) return nullptr;
    T* const t = take_locked();
    unlock();
    return t;
  }

  // When the oldest came, as its pusher noted in `arrived`; false: none, or somebody is taking. Any thread.
  template <class Look>
  [[nodiscard]] bool peek(Look&& look) {
    if (seems_empty()) return false;
    if (!try_lock()) return false;
    if (line_.get() == nullptr) refill();
    T* const t = line_.get();
    if (t != nullptr) look(*t);
    unlock();
    return t != nullptr;
  }

  // A hint; but what was pushed before a fence that precedes this call is not overlooked (S2).
  [[nodiscard]] bool seems_empty() const {
    // order: acquire. pairs: refill(), release. S2: who finds the stack emptied finds `waiting_` set, too. A push is seen by the
    // fences of those who go to sleep.
    // order: relaxed. pairs: refill(), by the acquire before it.
    return fresh_.load(std::memory_order_acquire) == nullptr && waiting_.load(std::memory_order_relaxed) == 0;
  }

 private:
  bool try_lock() {
    // order: relaxed; the exchange decides. Who cannot have it does not pull the line over.
    // order: acquire. pairs: unlock(), release. S8: the line is as the last taker left it.
    return taking_.load(std::memory_order_relaxed) == 0 && taking_.exchange(1, std::memory_order_acquire) == 0;
  }
  void unlock() {
    taking_.store(0, std::memory_order_release);  // order: release. pairs: try_lock(), acquire. S8
  }

  T* take_locked() {
    if (line_.get() == nullptr) refill();
    T* const t = line_.get();
    if (t == nullptr) return nullptr;
    line_.set(t->next.get());
    // order: relaxed. pairs: seems_empty(). A hint that is never false while the line is not empty and nobody takes.
    if (line_.get() == nullptr) waiting_.store(0, std::memory_order_relaxed);
    return t;
  }

  // The whole stack, turned round: the newest is on top of it.
  void refill() {
    // order: relaxed. pairs: seems_empty(). Before the stack is emptied, so that nobody sees both empty (S2).
    if (!HOP_MUTANT("inbox: the line is not announced")) waiting_.store(1, std::memory_order_relaxed);
    // order: acq_rel. pairs: push(), release. S4: the tasks are seen whole. pairs: seems_empty(), acquire. S2: as above.
    T* t = fresh_.exchange(nullptr, std::memory_order_acq_rel);
    T* line = nullptr;
    while (t != nullptr) {
      T* const older = t->next.get();
      if (HOP_MUTANT("inbox: newest first") && line == nullptr) {
        line = t;
        break;
      }
      t->next.set(line);
      line = t;
      t = older;
    }
    line_.set(line);
    if (line == nullptr) waiting_.store(0, std::memory_order_relaxed);  // order: relaxed. pairs: seems_empty()
  }

  alignas(base::cache_line) base::atomic<T*> fresh_{nullptr};  // newest first
  alignas(base::cache_line) base::atomic<std::uint32_t> taking_{0};
  base::atomic<std::uint32_t> waiting_{0};  // 1: the line may have something
  base::plain<T*> line_{nullptr};           // oldest first; by who has taking_
};

}  // namespace hop::sched
