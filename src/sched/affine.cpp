#include <hop/sched/affine.hpp>

#include <system_error>

#include <hop/base/futex.hpp>

namespace hop {

affine::affine(const char* name) {
  auto t = base::thread::start(name, [this] { main(); });
  if (!t) throw std::system_error(t.error().system, std::generic_category(), t.error().what);
  thread_ = std::move(*t);
}

affine::~affine() {
  closing_.store(true, std::memory_order_relaxed);  // order: relaxed. pairs: main(). Published by the word below
  // order: release. pairs: main(), acquire. A1: it sees that we close.
  news_.fetch_add(1, std::memory_order_release);
  base::futex_wake(news_, 1);
  thread_.join();
}

void affine::submit(sched::linked_task& t) {
  calls_.push(&t);
  // order: release. pairs: main(), acquire. A1: it sees the call, or does not sleep on this value.
  news_.fetch_add(1, std::memory_order_release);
  base::futex_wake(news_, 1);
}

void affine::main() {
  static sched::worker nobody;  // calls do not look at it: this thread has no worker
  for (;;) {
    // order: acquire. pairs: submit(), ~affine(), release. A1.
    const std::uint32_t seen = news_.load(std::memory_order_acquire);
    while (sched::linked_task* const t = calls_.take()) t->kind().run(*t, nobody);
    if (closing_.load(std::memory_order_relaxed)) return;  // order: relaxed. pairs: the acquire above. A1
    base::futex_wait(news_, seen);
  }
}

}  // namespace hop
