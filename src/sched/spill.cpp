#include <hop/sched/spill.hpp>

#include <algorithm>
#include <array>
#include <new>

#include <hop/base/memory.hpp>

namespace hop::sched {

struct spill::segment {
  static constexpr std::size_t slots = 2048;
  segment* older = nullptr;
  segment* newer = nullptr;
  std::size_t begin = 0;  // [begin, end) are there
  std::size_t end = 0;
  std::array<task*, slots> tasks;
};

spill::~spill() {
  for (segment* s = oldest_; s != nullptr;) {
    segment* const next = s->newer;
    base::deallocate(s);
    s = next;
  }
}

bool spill::push(task* const* tasks, std::size_t n) {
  base::lock_guard hold(mu_);
  // All the memory first, so that a refusal leaves nothing half done.
  const std::size_t fits = newest_ == nullptr ? 0 : segment::slots - newest_->end;
  segment* fresh = nullptr;
  for (std::size_t room = fits; room < n; room += segment::slots) {
    void* const p = base::try_allocate(sizeof(segment));
    if (p == nullptr) {
      while (fresh != nullptr) {
        segment* const next = fresh->newer;
        base::deallocate(fresh);
        fresh = next;
      }
      return false;
    }
    auto* s = new (p) segment;
    s->newer = fresh;
    fresh = s;
  }
  for (std::size_t i = 0; i < n;) {
    if (newest_ == nullptr || newest_->end == segment::slots) {
      segment* const s = fresh;
      fresh = s->newer;
      s->newer = nullptr;
      s->older = newest_;
      (newest_ == nullptr ? oldest_ : newest_->newer) = s;
      newest_ = s;
    }
    const std::size_t k = std::min(n - i, segment::slots - newest_->end);
    std::copy_n(tasks + i, k, newest_->tasks.begin() + static_cast<std::ptrdiff_t>(newest_->end));
    newest_->end += k;
    i += k;
  }
  // order: relaxed. pairs: seems_empty(). A hint; posting the work orders it for sleepers.
  count_.fetch_add(n, std::memory_order_relaxed);
  return true;
}

task* spill::take(bool newest) {
  segment* empty = nullptr;
  task* got = nullptr;
  {
    base::lock_guard hold(mu_);
    segment* const s = newest ? newest_ : oldest_;
    if (s == nullptr) return nullptr;
    got = s->tasks[newest ? --s->end : s->begin++];
    if (s->begin == s->end) {
      (s->older == nullptr ? oldest_ : s->older->newer) = s->newer;
      (s->newer == nullptr ? newest_ : s->newer->older) = s->older;
      empty = s;
    }
    count_.fetch_sub(1, std::memory_order_relaxed);  // order: relaxed. pairs: seems_empty(). A hint
  }
  if (empty != nullptr) base::deallocate(empty);
  return got;
}

}  // namespace hop::sched
