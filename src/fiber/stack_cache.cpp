#include <hop/fiber/stack_cache.hpp>

#include <algorithm>

namespace hop::fiber {

result<void> stack_cache::refill(stack_class cls) noexcept {
  list& l = of(cls);
  const std::size_t batch = limit(cls) / 2;
  auto got = pool_->acquire(cls, std::span(l.items).first(batch));
  if (!got) return got.error();
  l.count = *got;
  std::reverse(l.items.begin(), l.items.begin() + static_cast<std::ptrdiff_t>(l.count));  // the lowest is used first
  return {};
}

void stack_cache::spill(stack_class cls, std::size_t oldest) noexcept {
  list& l = of(cls);
  pool_->release(std::span(l.items).first(oldest));
  std::move(l.items.begin() + static_cast<std::ptrdiff_t>(oldest),
            l.items.begin() + static_cast<std::ptrdiff_t>(l.count), l.items.begin());
  l.count -= oldest;
}

void stack_cache::flush() noexcept {
  for (const stack_class c : {stack_class::small, stack_class::large}) {
    if (size(c) != 0) spill(c, size(c));
  }
}

}  // namespace hop::fiber
