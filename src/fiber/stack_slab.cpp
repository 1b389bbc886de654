#include <hop/fiber/stack_slab.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include <hop/base/assert.hpp>
#include <hop/base/memory.hpp>
#include <hop/fiber/stack_registry.hpp>

namespace hop::fiber {
namespace {

constexpr std::size_t table_span = std::size_t{2} << 20;  // what one page of page-table entries covers

std::size_t ceil_div(std::size_t a, std::size_t b) noexcept { return (a + b - 1) / b; }

}  // namespace

result<void> stack_slabs::open(vm_port& vm, std::size_t wanted) noexcept {
  std::size_t slabs = std::max<std::size_t>(1, ceil_div(wanted, per_slab()));
  int refused = 0;
  for (;; slabs /= 2) {
    if (slabs == 0) {
      return error{
          errc::no_stack, refused,
          "the kernel refused address space for even one slab of stacks (16 MiB of small or 64 MiB of large ones with "
          "the default sizes); see ulimit -v and vm.overcommit_memory"};
    }
    reservation_bytes_ = slabs * per_slab() * stack_bytes(cls_) + table_span;
    refused = vm.reserve(reservation_bytes_, &reservation_);
    if (refused == 0) break;
  }
  const std::size_t chunks = ceil_div(slabs, chunk_slabs);
  const std::size_t words = ceil_div(slabs, 64);
  const std::size_t table_bytes = chunks * sizeof(slab*) + words * sizeof(std::uint64_t);
  auto* table = static_cast<std::byte*>(base::try_allocate(table_bytes));
  if (table == nullptr) {
    (void)vm.release(reservation_, reservation_bytes_);
    return error{errc::no_memory, 0, "no memory for the table of stack slabs"};
  }
  std::memset(table, 0, table_bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(reservation_);
  base_ = reservation_ + (ceil_div(address, table_span) * table_span - address);
  if (!register_stack_range({base_, base_ + slabs * per_slab() * stack_bytes(cls_), cls_})) {
    base::deallocate(table);
    (void)vm.release(reservation_, reservation_bytes_);
    return error{errc::no_stack, 0, "too many stack pools in this process: 32 at a time"};
  }
  chunks_ = reinterpret_cast<slab**>(table);
  open_ = reinterpret_cast<std::uint64_t*>(table + chunks * sizeof(slab*));
  for (std::size_t i = 0; i < slabs; ++i) open_[i / 64] |= std::uint64_t{1} << (i % 64);
  slab_count_ = slabs;
  count_ = slabs * per_slab();
  stats_.reserved = count_;
  return {};
}

void stack_slabs::close(vm_port& vm) noexcept {
  if (!is_open()) return;
  HOP_ASSERT(stats_.handed_out == 0 && trimming_ == 0, "stack pool: destroyed while stacks are out");
  unregister_stack_range(base_);
  const int refused = vm.release(reservation_, reservation_bytes_);
  HOP_ASSERT(refused == 0, "stack pool: munmap of our own mapping refused");
  for (std::size_t i = 0; i < slab_count_; i += chunk_slabs) {
    if (chunk_of(i) != nullptr) base::deallocate(chunk_of(i));
  }
  base::deallocate(chunks_);
  count_ = 0;
}

bool stack_slabs::ensure_chunk(std::size_t slab_index) noexcept {
  slab*& chunk = chunks_[slab_index / chunk_slabs];
  if (chunk != nullptr) return true;
  auto* fresh = static_cast<slab*>(base::try_allocate(chunk_slabs * sizeof(slab)));
  if (fresh == nullptr) return false;
  for (std::size_t i = 0; i < chunk_slabs; ++i) new (fresh + i) slab{.free = full_mask()};
  chunk = fresh;
  return true;
}

std::size_t stack_slabs::first_open_slab() noexcept {
  const std::size_t words = ceil_div(slab_count_, 64);
  while (lowest_open_word_ < words && open_[lowest_open_word_] == 0) ++lowest_open_word_;
  if (lowest_open_word_ == words) return slab_count_;
  return lowest_open_word_ * 64 + static_cast<std::size_t>(std::countr_zero(open_[lowest_open_word_]));
}

// A walk, for kernels where guards are few.
std::size_t stack_slabs::first_guarded_slab() const noexcept {
  for (std::size_t i = lowest_open_word_ * 64; i < used_slabs_; ++i) {
    if (chunk_of(i) != nullptr && (slab_at(i).free & slab_at(i).guarded) != 0) return i;
  }
  return slab_count_;
}

void stack_slabs::mark_open(std::size_t slab_index) noexcept {
  open_[slab_index / 64] |= std::uint64_t{1} << (slab_index % 64);
  lowest_open_word_ = std::min(lowest_open_word_, slab_index / 64);
}

void stack_slabs::mark_if_full(std::size_t slab_index) noexcept {
  if (slab_at(slab_index).free == 0) open_[slab_index / 64] &= ~(std::uint64_t{1} << (slab_index % 64));
}

result<stack_slabs::taken> stack_slabs::take(std::span<stack> out, std::size_t guards_left) noexcept {
  HOP_ASSERT(out.size() <= 64, "stack pool: at most 64 stacks at once");
  taken got;
  while (got.count < out.size()) {
    // Without room for another guard, only stacks that have one will do.
    const std::size_t i = guards_left != 0 ? first_open_slab() : first_guarded_slab();
    if (i == slab_count_) {
      if (got.count != 0 || guards_left == 0) break;
      return error{errc::no_stack, 0, "all reserved stacks are in use"};
    }
    if (!ensure_chunk(i)) {
      if (got.count != 0) break;
      return error{errc::no_memory, 0, "no memory for the records of stack slabs"};
    }
    slab& s = slab_at(i);
    const std::uint64_t usable = guards_left != 0 ? s.free : s.free & s.guarded;
    const auto bit_index = static_cast<std::size_t>(std::countr_zero(usable));
    const std::uint64_t bit = std::uint64_t{1} << bit_index;
    s.free &= ~bit;
    if ((s.guarded & bit) == 0) {
      got.unguarded |= std::uint64_t{1} << got.count;
      s.guarded |= bit;
      ++stats_.guarded;
      --guards_left;
    }
    s.dirty |= bit;
    mark_if_full(i);
    used_slabs_ = std::max(used_slabs_, i + 1);
    out[got.count++] = at(i * per_slab() + bit_index);
  }
  stats_.handed_out += got.count;
  stats_.peak = std::max(stats_.peak, stats_.handed_out);
  return got;
}

void stack_slabs::give(const stack& s) noexcept {
  HOP_ASSERT(s.cls == cls_ && s.index < count_ && at(s.index).low == s.low,
             "stack pool: a stack of another pool came back");
  const std::size_t i = s.index / per_slab();
  const std::uint64_t bit = std::uint64_t{1} << (s.index % per_slab());
  HOP_ASSERT((slab_at(i).free & bit) == 0, "stack pool: a stack came back twice");
  slab_at(i).free |= bit;
  mark_open(i);
  --stats_.handed_out;
}

void stack_slabs::give_unguarded(const stack& s) noexcept {
  slab_at(s.index / per_slab()).guarded &= ~(std::uint64_t{1} << (s.index % per_slab()));
  --stats_.guarded;
  give(s);
}

bool stack_slabs::is_idle_and_dirty(std::size_t slab_index) const noexcept {
  if (slab_index >= used_slabs_ || chunk_of(slab_index) == nullptr) return false;
  const slab& s = slab_at(slab_index);
  return s.free == full_mask() && s.dirty != 0;
}

bool stack_slabs::begin_trim(std::size_t from, stack_run& run) noexcept {
  constexpr std::size_t most_slabs = 64;  // so that a trim never takes much of the pool away at once
  for (std::size_t i = from; i < used_slabs_; ++i) {
    if (chunk_of(i) == nullptr) continue;
    const std::uint64_t members = slab_at(i).free & slab_at(i).dirty;
    if (members == 0) continue;
    run = {.first_slab = i, .slab_count = 1, .members = members, .whole = is_idle_and_dirty(i)};
    if (run.whole) {
      run.members = full_mask();
      while (run.slab_count < most_slabs && is_idle_and_dirty(i + run.slab_count)) ++run.slab_count;
    }
    for (std::size_t k = i; k < i + run.slab_count; ++k) {
      slab_at(k).free &= ~run.members;
      mark_if_full(k);
    }
    trimming_ += run.slab_count * static_cast<std::size_t>(std::popcount(run.members));
    return true;
  }
  return false;
}

void stack_slabs::finish_trim(const stack_run& run, bool renewed) noexcept {
  const auto each = static_cast<std::size_t>(std::popcount(run.members));
  for (std::size_t k = run.first_slab; k < run.first_slab + run.slab_count; ++k) {
    slab& s = slab_at(k);
    if (renewed) {
      stats_.guarded -= static_cast<std::size_t>(std::popcount(s.guarded & run.members));
      s.guarded &= ~run.members;
    }
    s.dirty &= ~run.members;
    s.free |= run.members;
    mark_open(k);
  }
  trimming_ -= run.slab_count * each;
  if (renewed) stats_.slabs_renewed += run.slab_count;
  if (!renewed) stats_.stacks_discarded += run.slab_count * each;
}

}  // namespace hop::fiber
