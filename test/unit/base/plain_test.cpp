#include <hop/base/plain.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

static_assert(sizeof(plain<std::uint64_t>) == sizeof(std::uint64_t), "plain costs nothing in the product");
static_assert(!std::is_copy_constructible_v<plain<int>> && !std::is_copy_assignable_v<plain<int>>);

HOP_TEST(base, a_plain_field_starts_at_zero_and_gives_back_what_was_set) {
  plain<int> n;
  EXPECT_EQ(n.get(), 0);
  n.set(7);
  EXPECT_EQ(n.get(), 7);
  n.ref() += 1;
  EXPECT_EQ(n.get(), 8);
  EXPECT_EQ(plain<int>(3).get(), 3);
}

HOP_TEST(base, a_plain_field_takes_what_can_only_be_moved) {
  plain<std::unique_ptr<int>> p(std::make_unique<int>(1));
  p.set(std::make_unique<int>(2));
  const std::unique_ptr<int> out = std::move(p.ref());
  EXPECT_EQ(*out, 2);
  EXPECT_EQ(p.get(), nullptr);
}

HOP_TEST(base, a_plain_field_travels_with_a_release_and_an_acquire) {
  plain<int> data;
  atomic<bool> ready{false};
  int got = 0;
  crew c;
  c.add([&] {
    // order: acquire. pairs: release below; `data` was set before it.
    for (int i = 0; !ready.load(std::memory_order_acquire); ++i) i % 64 == 63 ? os_yield() : spin_hint();
    got = data.get();
  });
  data.set(42);
  ready.store(true, std::memory_order_release);  // order: release. pairs: acquire above.
  c.join();
  EXPECT_EQ(got, 42);
}

}  // namespace
