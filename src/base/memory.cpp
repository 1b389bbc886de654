#include <hop/base/memory.hpp>

#include <new>

#include <hop/base/atomic.hpp>

namespace hop::base {

namespace {

// Two countdowns for refuse_allocations(). One relaxed load when unused.
atomic<bool> refusing{false};
atomic<std::uint64_t> grant{0};
atomic<std::uint64_t> refuse{0};

bool take_one(atomic<std::uint64_t>& left) noexcept {
  // order: relaxed throughout; a test hook that only counts.
  std::uint64_t n = left.load(std::memory_order_relaxed);
  while (n != 0) {
    if (left.compare_exchange_weak(n, n - 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

bool refused() noexcept {
  // order: relaxed; the hook is set before the code under test starts.
  return refusing.load(std::memory_order_relaxed) && !take_one(grant) && take_one(refuse);
}

}  // namespace

void* try_allocate(std::size_t bytes, std::size_t align) noexcept {
  if (refused()) return nullptr;
  // libstdc++ rounds up to the alignment without looking for overflow: SIZE_MAX bytes would be a block of none.
  if (bytes > static_cast<std::size_t>(PTRDIFF_MAX)) return nullptr;
  return ::operator new (bytes, std::align_val_t{align}, std::nothrow);
}

void deallocate(void* p, std::size_t align) noexcept { ::operator delete (p, std::align_val_t{align}); }

void refuse_allocations(std::uint64_t after, std::uint64_t count) noexcept {
  // order: relaxed; see refused().
  grant.store(after, std::memory_order_relaxed);
  refuse.store(count, std::memory_order_relaxed);
  refusing.store(count != 0, std::memory_order_relaxed);
}

}  // namespace hop::base
