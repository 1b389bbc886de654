// All stacks of one class: one reservation of address space, cut into slabs, with a bitmap for each slab. Book-keeping
// only and no lock; stack_pool calls it under its own, and makes the kernel calls on single stacks outside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <hop/base/result.hpp>
#include <hop/fiber/stack.hpp>
#include <hop/fiber/vm_port.hpp>

namespace hop::fiber {

// Stacks that lie next to each other and came from one slab or from whole neighbouring slabs.
struct stack_run {
  std::size_t first_slab = 0;
  std::size_t slab_count = 0;  // 1 where only some stacks of the slab are meant
  std::uint64_t members = 0;   // which; all of them when the slabs are whole
  bool whole = false;
};

struct slab_statistics {
  std::size_t reserved = 0;          // stacks there is address space for; 0 before the first use
  std::size_t handed_out = 0;        // not in the pool: in use, or in a cache
  std::size_t peak = 0;              // the most ever handed out
  std::size_t guarded = 0;           // guards installed now
  std::size_t slabs_renewed = 0;     // slabs given back whole, ever
  std::size_t stacks_discarded = 0;  // pages of single stacks given back, ever
};

class stack_slabs {
 public:
  explicit stack_slabs(stack_class cls) noexcept : cls_(cls) {}
  stack_slabs(const stack_slabs&) = delete;
  stack_slabs& operator=(const stack_slabs&) = delete;

  [[nodiscard]] static constexpr std::size_t slab_stacks(stack_class c) noexcept {
    return c == stack_class::small ? 64 : 8;
  }

  // Reserves address space for `wanted` stacks; when refused for half of that, and so on down to one slab.
  [[nodiscard]] result<void> open(vm_port& vm, std::size_t wanted) noexcept;
  void close(vm_port& vm) noexcept;
  [[nodiscard]] bool is_open() const noexcept { return count_ != 0; }

  struct taken {
    std::size_t count = 0;        // how many were taken, lowest first
    std::uint64_t unguarded = 0;  // bit i: out[i] has no guard yet; the caller installs it
  };
  // At most out.size() (64) stacks and at most `guards_left` without a guard. None at all is an error,
  // unless the guards ran out: then it is a count of 0.
  [[nodiscard]] result<taken> take(std::span<stack> out, std::size_t guards_left) noexcept;
  void give(const stack& s) noexcept;
  // The guard of a stack just taken was refused.
  void give_unguarded(const stack& s) noexcept;

  // Takes out idle stacks whose pages may be held, at or after slab `from`; whole idle neighbouring slabs as one run. False:
  // no more. finish_trim() puts them back, `renewed` telling whether guards and page tables are gone too.
  [[nodiscard]] bool begin_trim(std::size_t from, stack_run& run) noexcept;
  void finish_trim(const stack_run& run, bool renewed) noexcept;
  [[nodiscard]] bool trimming() const noexcept { return trimming_ != 0; }

  [[nodiscard]] stack at(std::size_t index) const noexcept {
    return {base_ + index * stack_bytes(cls_), static_cast<std::uint32_t>(index), cls_};
  }
  [[nodiscard]] std::size_t per_slab() const noexcept { return slab_stacks(cls_); }
  [[nodiscard]] slab_statistics statistics() const noexcept { return stats_; }

 private:
  struct slab {
    std::uint64_t free = 0;     // in the pool
    std::uint64_t guarded = 0;  // guard installed
    std::uint64_t dirty = 0;    // may hold pages
  };
  static constexpr std::size_t chunk_slabs = 256;

  [[nodiscard]] slab* chunk_of(std::size_t slab_index) const noexcept { return chunks_[slab_index / chunk_slabs]; }
  [[nodiscard]] slab& slab_at(std::size_t i) const noexcept { return chunk_of(i)[i % chunk_slabs]; }
  [[nodiscard]] bool ensure_chunk(std::size_t slab_index) noexcept;
  [[nodiscard]] std::size_t first_open_slab() noexcept;
  [[nodiscard]] std::size_t first_guarded_slab() const noexcept;
  [[nodiscard]] std::uint64_t full_mask() const noexcept {
    return per_slab() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << per_slab()) - 1;
  }
  [[nodiscard]] bool is_idle_and_dirty(std::size_t slab_index) const noexcept;
  void mark_open(std::size_t slab_index) noexcept;
  void mark_if_full(std::size_t slab_index) noexcept;

  stack_class cls_;
  std::byte* base_ = nullptr;  // first stack; a multiple of 2 MiB, so that a slab has its page tables to itself
  std::byte* reservation_ = nullptr;
  std::size_t reservation_bytes_ = 0;
  std::size_t count_ = 0;  // stacks
  std::size_t slab_count_ = 0;
  std::size_t used_slabs_ = 0;        // those at or above it were never used
  std::size_t lowest_open_word_ = 0;  // no slab below has a free stack
  std::size_t trimming_ = 0;          // stacks out for trimming
  slab** chunks_ = nullptr;
  std::uint64_t* open_ = nullptr;  // a bit for each slab with a free stack
  slab_statistics stats_;
};

}  // namespace hop::fiber
