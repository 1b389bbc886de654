// Memory for task records: every thread keeps some at hand, and passes batches of what it has too much of to a common store.
// So records that are made on one thread and freed on another go round without the allocator.
#pragma once

#include <array>
#include <cstddef>
#include <new>

#include <hop/base/annotations.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/memory.hpp>
#include <hop/base/mutex.hpp>

namespace hop::sched {

// A free block. The first of a batch knows the next batch.
struct free_block {
  free_block* next;
  free_block* next_batch;
};

// Batches of free blocks, for all threads of the process.
class block_store {
 public:
  static constexpr std::array<std::size_t, 2> sizes{128, 256};
  static constexpr std::size_t batch = 64;
  static constexpr std::size_t most_batches = 4096;  // of each size; beyond that they go back to the allocator
  static constexpr std::size_t alignment = base::cache_line;

  // Never destroyed: threads give back at their very end.
  [[nodiscard]] HOP_EXPORT static block_store& common() noexcept;
  // A chain of `batch` blocks, or nullptr.
  [[nodiscard]] HOP_EXPORT free_block* take(std::size_t size_class) noexcept HOP_EXCLUDES(mu_);
  HOP_EXPORT void give(std::size_t size_class, free_block* chain) noexcept HOP_EXCLUDES(mu_);

 private:
  struct line {
    free_block* first = nullptr;
    std::size_t count = 0;
  };
  base::ranked_mutex mu_{base::lock_rank::blocks};
  std::array<line, sizes.size()> lines_ HOP_GUARDED_BY(mu_);
};

// Belongs to one thread at a time. A block may be given to another cache than it came from.
class block_cache {
 public:
  static constexpr std::size_t alignment = block_store::alignment;

  block_cache() = default;
  block_cache(const block_cache&) = delete;
  block_cache& operator=(const block_cache&) = delete;
  HOP_EXPORT ~block_cache();

  // nullptr: refused. `bytes` is a constant at every call, so the choice is made by the compiler.
  [[nodiscard]] HOP_ALWAYS_INLINE void* take(std::size_t bytes) noexcept {
    const std::size_t c = class_of(bytes);
    if (c == block_store::sizes.size()) return base::try_allocate(bytes, alignment);
    list& l = lists_[c];
    if (HOP_UNLIKELY(l.first == nullptr) && !refill(c)) return nullptr;
    free_block* const b = l.first;
    l.first = b->next;
    --l.count;
    return b;
  }
  HOP_ALWAYS_INLINE void give(void* p, std::size_t bytes) noexcept {
    const std::size_t c = class_of(bytes);
    if (c == block_store::sizes.size()) return base::deallocate(p, alignment);
    list& l = lists_[c];
    l.first = new (p) free_block{l.first, nullptr};
    if (HOP_UNLIKELY(++l.count == 2 * block_store::batch)) pass_on(c);
  }

  // Of a thread that is no worker.
  [[nodiscard]] HOP_EXPORT static block_cache& of_thread() noexcept;

 private:
  struct list {
    free_block* first = nullptr;
    std::size_t count = 0;
  };
  static constexpr std::size_t class_of(std::size_t bytes) noexcept {
    return bytes <= block_store::sizes[0] ? 0 : bytes <= block_store::sizes[1] ? 1 : 2;
  }
  HOP_EXPORT HOP_NOINLINE bool refill(std::size_t c) noexcept;
  HOP_EXPORT HOP_NOINLINE void pass_on(std::size_t c) noexcept;

  std::array<list, block_store::sizes.size()> lists_;
};

}  // namespace hop::sched
