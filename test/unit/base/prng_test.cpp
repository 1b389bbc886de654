#include <hop/base/prng.hpp>

#include <array>
#include <set>

#include "support/hop_test.hpp"

namespace {

using hop::base::prng;

// Worked out by another program from the published definitions of splitmix64 and xorshift64*.
HOP_TEST(base, the_numbers_of_a_seed_are_the_same_for_ever) {
  prng random(1);
  for (const std::uint64_t expected : {0x4b46a55df3611b9bu, 0xd7e1f1410e763ef4u, 0x5f14ec66975f9b06u})
    EXPECT_EQ(random.next(), expected);
  prng zero(0);
  for (const std::uint64_t expected : {0x7bbcb40d550682d0u, 0xde7fe413d00cc9fdu, 0xb3c638353c668c91u})
    EXPECT_EQ(zero.next(), expected);
}

HOP_TEST(base, the_one_seed_that_would_give_zeros_for_ever_does_not) {
  prng random(0u - 0x9e3779b97f4a7c15u);  // mixes to a state of zero, which xorshift never leaves
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert(random.next());
  EXPECT_EQ(seen.size(), 100u);
}

HOP_TEST(base, neighbouring_seeds_give_unrelated_streams) {
  const std::uint64_t seed = hop::test::seed();
  std::set<std::uint64_t> seen;
  for (std::uint64_t s = 0; s < 100; ++s) {
    prng random(seed + s);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(seen.insert(random.next()).second);
  }
}

HOP_TEST(base, below_stays_below_and_reaches_every_value) {
  prng random(hop::test::seed());
  for (const std::uint32_t bound : {1u, 2u, 3u, 7u, 64u}) {
    std::set<std::uint32_t> seen;
    for (int i = 0; i < 5'000; ++i) {
      const std::uint32_t n = random.below(bound);
      ASSERT_LT(n, bound);
      seen.insert(n);
    }
    EXPECT_EQ(seen.size(), bound);
  }
  for (int i = 0; i < 1'000; ++i) ASSERT_LT(random.below(UINT32_MAX), UINT32_MAX);
}

HOP_TEST(base, below_favours_no_value) {
  prng random(hop::test::seed());
  std::array<int, 10> count{};
  for (int i = 0; i < 100'000; ++i) ++count[random.below(10)];
  for (const int n : count) EXPECT_NEAR(n, 10'000, 600);  // six standard deviations
}

HOP_TEST(base, the_kernel_gives_a_new_seed_each_time) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 16; ++i) seen.insert(hop::base::entropy_seed());
  EXPECT_EQ(seen.size(), 16u);
}

}  // namespace
