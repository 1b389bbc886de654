#include <hop/fiber/stack_registry.hpp>

#include <array>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>

namespace hop::fiber {
namespace {

// A slot is taken by its `begin` going from 0 to `claimed`, filled, and published by storing the address.
struct slot {
  base::atomic<std::uintptr_t> begin{0};
  base::atomic<std::uintptr_t> end{0};
  base::atomic<std::uint8_t> cls{0};
};
constexpr std::uintptr_t claimed = 1;
constinit std::array<slot, stack_ranges_max> slots{};

std::uintptr_t number(const void* p) noexcept { return reinterpret_cast<std::uintptr_t>(p); }

std::optional<stack_location> find_in(const slot& s, std::uintptr_t at) noexcept {
  // order: acquire. pairs: register_stack_range(). F9: a published range has its end and class.
  const std::uintptr_t begin = s.begin.load(std::memory_order_acquire);
  if (begin <= claimed || at < begin) return std::nullopt;
  if (at >= s.end.load(std::memory_order_relaxed)) return std::nullopt;  // order: relaxed. pairs: the acquire above. F9
  const auto cls =
      static_cast<stack_class>(s.cls.load(std::memory_order_relaxed));  // order: relaxed. pairs: as above. F9
  const std::size_t offset = at - begin;
  const std::size_t index = offset / stack_bytes(cls);
  stack_location found;
  found.where.low = reinterpret_cast<std::byte*>(begin + index * stack_bytes(cls));
  found.where.index = static_cast<std::uint32_t>(index);
  found.where.cls = cls;
  found.in_guard = offset % stack_bytes(cls) < guard_bytes(cls);
  return found;
}

}  // namespace

bool register_stack_range(const stack_range& r) noexcept {
  for (slot& s : slots) {
    std::uintptr_t none = 0;
    // order: acquire, relaxed. pairs: unregister_stack_range(). F9: the slot's last owner is through with it.
    if (!s.begin.compare_exchange_strong(none, claimed, std::memory_order_acquire, std::memory_order_relaxed)) continue;
    s.end.store(number(r.end), std::memory_order_relaxed);  // order: relaxed. pairs: the release below. F9
    s.cls.store(static_cast<std::uint8_t>(r.cls),
                std::memory_order_relaxed);  // order: relaxed. pairs: the release below. F9
    // order: release. pairs: find_in(). F9: a published range has its end and class.
    s.begin.store(number(r.begin), std::memory_order_release);
    return true;
  }
  return false;
}

void unregister_stack_range(const std::byte* begin) noexcept {
  for (slot& s : slots) {
    std::uintptr_t mine = number(begin);
    // order: release, relaxed. pairs: register_stack_range(). F9: the slot is free for another range.
    if (s.begin.compare_exchange_strong(mine, 0, std::memory_order_release, std::memory_order_relaxed)) return;
  }
  HOP_ASSERT(false, "stack registry: unregister of a range that is not there");
}

std::optional<stack_location> find_stack(const void* address) noexcept {
  for (const slot& s : slots) {
    if (auto found = find_in(s, number(address))) return found;
  }
  return std::nullopt;
}

}  // namespace hop::fiber
