#include <hop/base/atomic.hpp>

#include <cstdint>
#include <type_traits>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

HOP_TEST(base, an_atomic_of_the_product_is_the_plain_one_and_costs_nothing_more) {
  EXPECT_TRUE((std::is_same_v<atomic<std::uint64_t>, std::atomic<std::uint64_t>>));
  EXPECT_EQ(sizeof(atomic<std::uint64_t>), sizeof(std::uint64_t));
  EXPECT_TRUE(atomic<void*>::is_always_lock_free);
  EXPECT_FALSE(modelling);
}

HOP_TEST(base, no_count_is_lost_between_threads) {
  const std::uint64_t each = hop::test::scaled(100'000, 10'000);
  atomic<std::uint64_t> n{0};
  crew c;
  for (int t = 0; t < 4; ++t) {
    c.add([&] {
      for (std::uint64_t i = 0; i < each; ++i)
        n.fetch_add(1, std::memory_order_relaxed);  // order: relaxed; only counts
    });
  }
  c.join();
  EXPECT_EQ(n.load(), 4 * each);
}

}  // namespace
