#include <hop/sched/timers.hpp>

#include <algorithm>
#include <new>

#include <hop/sched/park.hpp>

namespace hop::sched {

namespace {
constexpr std::size_t arity = 4;
}

void timer_heap::put(std::size_t i, entry e) {
  heap_[i] = e;
  e.who->place_ = static_cast<std::uint32_t>(i);
}

void timer_heap::rise(std::size_t i, entry e) {
  while (i != 0 && e.at < heap_[(i - 1) / arity].at) {
    put(i, heap_[(i - 1) / arity]);
    i = (i - 1) / arity;
  }
  put(i, e);
}

void timer_heap::sink(std::size_t i, entry e) {
  for (;;) {
    const std::size_t first = arity * i + 1;
    if (first >= heap_.size()) break;
    const std::size_t last = std::min(first + arity, heap_.size());
    std::size_t least = first;
    for (std::size_t k = first + 1; k < last; ++k) {
      if (heap_[k].at < heap_[least].at) least = k;
    }
    if (!(heap_[least].at < e.at)) break;
    put(i, heap_[least]);
    i = least;
  }
  put(i, e);
}

void timer_heap::remove(std::size_t i) {
  heap_[i].who->place_ = timer::nowhere;
  const entry last = heap_.back();
  heap_.pop_back();
  if (i < heap_.size()) {
    if (i != 0 && last.at < heap_[(i - 1) / arity].at) {
      rise(i, last);
    } else {
      sink(i, last);
    }
  }
  // What a crowd of timers took is given back when they are gone.
  if (heap_.capacity() > 1024 && heap_.size() < heap_.capacity() / 4) heap_.shrink_to_fit();
}

void timer_heap::tell_next() {
  // order: relaxed. pairs: next(). The watcher's fence orders it (W1).
  next_ns_.store(heap_.empty() ? base::never.ns() : heap_[0].at.ns(), std::memory_order_relaxed);
}

bool timer_heap::add(timer& t, base::instant at, bool& first) {
  base::lock_guard hold(mu_);
  try {
    heap_.push_back({at, &t});
  } catch (const std::bad_alloc&) {
    return false;
  }
  rise(heap_.size() - 1, {at, &t});
  first = heap_[0].who == &t;
  tell_next();
  return true;
}

void timer_heap::cancel(timer& t) {
  base::lock_guard hold(mu_);
  if (t.place_ == timer::nowhere) return;
  remove(t.place_);
  tell_next();
}

std::size_t timer_heap::ring(base::instant now) {
  if (now < next()) return 0;
  std::size_t n = 0;
  base::lock_guard hold(mu_);
  while (!heap_.empty() && heap_[0].at <= now) {
    timer& t = *heap_[0].who;
    remove(0);
    t.rang_ = true;
    unpark(*t.who_);  // under the lock: after cancel() nobody touches the timer or its parker any more
    ++n;
  }
  tell_next();
  return n;
}

std::size_t timer_heap::size() {
  base::lock_guard hold(mu_);
  return heap_.size();
}

}  // namespace hop::sched
