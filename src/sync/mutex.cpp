#include <hop/sync/mutex.hpp>

#include <hop/base/spin_hint.hpp>
#include <hop/sched/park.hpp>

namespace hop {

namespace {
constexpr int spins = 40;
}

mutex::~mutex() {
  base::lock_guard hold(guard_);  // the last unlock may still be inside
  // order: relaxed; nobody may use it any more.
  HOP_ASSERT(word_.load(std::memory_order_relaxed) == free, "hop::mutex: destroyed while it is held");
}

void mutex::lock_slow() {
  for (int i = 0; i < spins; ++i) {
    base::spin_hint();
    // order: relaxed; a look, try_lock() decides.
    if (word_.load(std::memory_order_relaxed) == free && try_lock()) return;
  }
  waiting me;
  me.who = &sched::this_parker();
  for (;;) {
    {
      base::lock_guard hold(guard_);
      // From here on we cannot know whether others wait, so whenever we get it, it counts as contended.
      // order: acquire. pairs: unlock(), release. Y1.
      if (word_.exchange(contended, std::memory_order_acquire) == free) return;
      me.woken.store(0, std::memory_order_relaxed);  // order: relaxed. pairs: the lock. Y3
      line_.push_back(me);
    }
    // order: acquire. pairs: unlock_slow(), release. Y3: off the line before we touch the entry again.
    while (me.woken.load(std::memory_order_acquire) == 0) sched::park({"mutex", this});
  }
}

void mutex::unlock_slow() {
  sched::parker* who = nullptr;
  {
    // The guard first: once the word is free, another may take the lock, give it back and destroy it.
    base::lock_guard hold(guard_);
    // order: relaxed. pairs: nothing; only the holder frees it, and it is held with somebody in line, or was.
    HOP_ASSERT(word_.load(std::memory_order_relaxed) == contended, "hop::mutex: unlock() of a mutex that is not held");
    if (waiting* const first = line_.pop_front()) {
      who = first->who;
      // order: release. pairs: lock_slow(), acquire. Y3. The entry may be gone after this.
      first->woken.store(1, std::memory_order_release);
    }
    // order: release. pairs: try_lock(), lock_slow(), acquire. Y1.
    word_.store(free, std::memory_order_release);
  }
  if (who != nullptr) sched::unpark(*who);
}

}  // namespace hop
