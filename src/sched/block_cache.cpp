#include <hop/sched/block_cache.hpp>

namespace hop::sched {

namespace {

void free_chain(free_block* b) noexcept {
  while (b != nullptr) {
    free_block* const next = b->next;
    base::deallocate(b, block_store::alignment);
    b = next;
  }
}

}  // namespace

block_store& block_store::common() noexcept {
  alignas(block_store) static std::byte room[sizeof(block_store)];
  static block_store& store = *new (room) block_store;
  return store;
}

free_block* block_store::take(std::size_t size_class) noexcept {
  base::lock_guard hold(mu_);
  line& l = lines_[size_class];
  free_block* const chain = l.first;
  if (chain != nullptr) {
    l.first = chain->next_batch;
    --l.count;
  }
  return chain;
}

void block_store::give(std::size_t size_class, free_block* chain) noexcept {
  {
    base::lock_guard hold(mu_);
    line& l = lines_[size_class];
    if (l.count < most_batches) {
      chain->next_batch = l.first;
      l.first = chain;
      ++l.count;
      return;
    }
  }
  free_chain(chain);
}

block_cache::~block_cache() {
  for (std::size_t c = 0; c < lists_.size(); ++c) {
    if (lists_[c].count >= block_store::batch) pass_on(c);
    free_chain(lists_[c].first);
  }
}

block_cache& block_cache::of_thread() noexcept {
  // tidy: allow thread_local: of threads that are no workers; a fiber's worker has its own
  static thread_local block_cache cache;
  return cache;
}

bool block_cache::refill(std::size_t c) noexcept {
  list& l = lists_[c];
  l.first = block_store::common().take(c);
  if (l.first != nullptr) {
    l.count = block_store::batch;
    return true;
  }
  void* const p = base::try_allocate(block_store::sizes[c], alignment);
  if (p == nullptr) return false;
  l.first = new (p) free_block{nullptr, nullptr};
  l.count = 1;
  return true;
}

// The newer half stays: it is in our cache.
void block_cache::pass_on(std::size_t c) noexcept {
  list& l = lists_[c];
  const std::size_t keep = l.count - block_store::batch;
  free_block** cut = &l.first;
  for (std::size_t i = 0; i < keep; ++i) cut = &(*cut)->next;
  free_block* const chain = *cut;
  *cut = nullptr;
  l.count = keep;
  block_store::common().give(c, chain);
}

}  // namespace hop::sched
