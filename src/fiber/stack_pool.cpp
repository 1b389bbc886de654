#include <hop/fiber/stack_pool.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>

#include <hop/base/spin_hint.hpp>

#if HOP_VALGRIND
#include <valgrind/valgrind.h>
#endif
#if HOP_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace hop::fiber {
namespace {

// Frames that were never left (a fiber ends by a switch) leave their red zones behind; the next user must not trip on them.
void forget_frames([[maybe_unused]] const stack& s) noexcept {
#if HOP_ASAN
  __asan_unpoison_memory_region(s.usable_low(), static_cast<std::size_t>(s.high() - s.usable_low()));
#endif
}

stack_pool_options fitted(stack_pool_options wanted) noexcept {
#if HOP_VALGRIND
  // It tracks every reserved byte and says so on stderr beyond 256 MiB.
  if (RUNNING_ON_VALGRIND != 0) {
    wanted.small_count = std::min<std::size_t>(wanted.small_count, 896);
    wanted.large_count = std::min<std::size_t>(wanted.large_count, 24);
  }
#endif
  return wanted;
}

}  // namespace

stack_pool::stack_pool(stack_pool_options options, vm_port& vm) noexcept : options_(fitted(options)), vm_(vm) {}

stack_pool::~stack_pool() {
  base::lock_guard hold(mu_);
  small_.close(vm_);
  large_.close(vm_);
}

result<stack_slabs::taken> stack_pool::take_locked(stack_class cls, std::span<stack> out) noexcept {
  stack_slabs& from = slabs(cls);
  if (!from.is_open()) {
    const std::size_t wanted = cls == stack_class::small ? options_.small_count : options_.large_count;
    if (auto opened = from.open(vm_, wanted); !opened) return opened.error();
    choose_guards_locked(from.at(0));
  }
  if (!split_) return from.take(out, ~std::size_t{0});
  const std::size_t installed = small_.statistics().guarded + large_.statistics().guarded;
  auto got = from.take(out, guard_limit_ - std::min(installed, guard_limit_));
  if (got && got->count == 0) return base::error{errc::no_stack, 0, limit_text_};
  return got;
}

result<stack_slabs::taken> stack_pool::take(stack_class cls, std::span<stack> out) noexcept {
  for (;;) {
    {
      base::lock_guard hold(mu_);
      auto got = take_locked(cls, out);
      // A trim may have the last free ones in its hands for a moment.
      if (got || !slabs(cls).trimming()) return got;
    }
    base::os_yield();
  }
}

result<std::size_t> stack_pool::acquire(stack_class cls, std::span<stack> out) noexcept {
  auto got = take(cls, out);
  if (!got) return got.error();
  std::size_t kept = 0;
  int refused = 0;
  for (std::size_t i = 0; i < got->count; ++i) {
    const bool needs_guard = (got->unguarded >> i & 1) != 0;
    if (needs_guard && refused == 0) refused = install_guard(out[i]);
    if (needs_guard && refused != 0) {
      base::lock_guard hold(mu_);
      slabs(cls).give_unguarded(out[i]);
      continue;
    }
    forget_frames(out[i]);
    out[kept++] = out[i];
  }
  if (kept == 0) return guard_refused(refused);
  return kept;
}

int stack_pool::install_guard(const stack& s) noexcept {
  bool split = false;
  {
    base::lock_guard hold(mu_);
    split = split_;
  }
  return split ? vm_.protect(s.low, guard_bytes(s.cls)) : vm_.guard(s.low, guard_bytes(s.cls));
}

// Asks the kernel with the first guard there will be. Where it does not know them, each guard is a mapping of its own and
// cuts another in two, so their number is limited.
void stack_pool::choose_guards_locked(const stack& first) noexcept {
  if (split_ || vm_.guard(first.low, guard_bytes(first.cls)) != EINVAL) return;
  const std::size_t maps = vm_.map_limit();
  split_ = true;
  guard_limit_ = maps > mappings_for_others ? (maps - mappings_for_others) / 2 : 0;
  std::snprintf(limit_text_, sizeof limit_text_,
                "no MADV_GUARD_INSTALL (Linux 6.13, memory not locked): vm.max_map_count (%zu) allows %zu guarded "
                "stacks, all taken",
                maps, guard_limit_);
}

base::error stack_pool::guard_refused(int refused) noexcept {
  base::lock_guard hold(mu_);
  if (split_) return {errc::no_stack, refused, "the kernel refused mprotect for a stack's guard; see vm.max_map_count"};
  return {errc::no_memory, refused,
          "the kernel refused MADV_GUARD_INSTALL for a stack's guard (page tables; see the memory limit)"};
}

void stack_pool::release(std::span<const stack> stacks) noexcept {
  base::lock_guard hold(mu_);
  for (const stack& s : stacks) slabs(s.cls).give(s);
}

std::size_t stack_pool::trim() noexcept { return trim_class(stack_class::small) + trim_class(stack_class::large); }

std::size_t stack_pool::trim_class(stack_class cls) noexcept {
  std::size_t trimmed = 0;
  std::size_t from = 0;
  for (;;) {
    stack_run run;
    std::byte* first = nullptr;
    {
      base::lock_guard hold(mu_);
      if (!slabs(cls).is_open() || !slabs(cls).begin_trim(from, run)) return trimmed;
      first = slabs(cls).at(run.first_slab * stack_slabs::slab_stacks(cls)).low;
    }
    const bool renewed = trim_run(cls, run, first);
    base::lock_guard hold(mu_);
    slabs(cls).finish_trim(run, renewed);
    from = run.first_slab + run.slab_count;
    trimmed += run.slab_count * static_cast<std::size_t>(std::popcount(run.members));
  }
}

// The run is ours alone here. True: guards and page tables went too.
bool stack_pool::trim_run(stack_class cls, const stack_run& run, std::byte* first) noexcept {
  const std::size_t slab_bytes = stack_slabs::slab_stacks(cls) * stack_bytes(cls);
  if (run.whole && vm_.renew(first, run.slab_count * slab_bytes) == 0) return true;
  // A refused renew left everything as it was (MAP_FIXED needs a mapping to spare for a moment): the pages at least.
  for (std::size_t k = 0; k < run.slab_count; ++k) {
    for (std::uint64_t left = run.members; left != 0;) {
      const auto begin = static_cast<std::size_t>(std::countr_zero(left));
      const auto length = static_cast<std::size_t>(std::countr_one(left >> begin));
      // A refusal costs memory, nothing else.
      (void)vm_.discard(first + k * slab_bytes + begin * stack_bytes(cls), length * stack_bytes(cls));
      left = begin + length == 64 ? 0 : left >> (begin + length) << (begin + length);
    }
  }
  return false;
}

stack_pool_statistics stack_pool::statistics() noexcept {
  base::lock_guard hold(mu_);
  stack_pool_statistics s;
  s.by_class = {small_.statistics(), large_.statistics()};
  s.guards_split_mappings = split_;
  s.guard_limit = guard_limit_;
  return s;
}

}  // namespace hop::fiber
