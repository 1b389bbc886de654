#include <hop/base/asymmetric_fence.hpp>

#include <array>

#include <hop/base/atomic.hpp>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

struct alignas(cache_line) word_of_a_line {
  atomic<int> value{0};
};

// The light side's store is made slow, or its load would never overtake it: the words before it in the store buffer
// belong to the other side's cache, while the word it looks at is near.
HOP_TEST(base, of_a_light_and_a_heavy_side_that_store_fence_and_look_one_sees_the_other) {
  ASSERT_TRUE(fence_heavy_works()) << "this kernel has no membarrier, or a filter refuses it";
  const std::size_t turns = hop::test::scaled(50'000, 2'000);
  std::array<word_of_a_line, 16> far;
  word_of_a_line light, heavy;
  meeting m(2);
  int light_saw = 0, heavy_saw = 0;
  std::size_t both_missed = 0;
  crew c;
  // order: relaxed; the fences between store and load are what is tested. pairs: each other.
  c.add([&] {
    for (std::size_t i = 0; i < turns; ++i) {
      static_cast<void>(heavy.value.load(std::memory_order_relaxed));
      m.arrive();
      for (std::size_t wait = i % 8; wait != 0; --wait) spin_hint();  // so that the two meet at every distance
      for (word_of_a_line& w : far) w.value.store(1, std::memory_order_relaxed);
      light.value.store(1, std::memory_order_relaxed);
      fence_light();
      light_saw = heavy.value.load(std::memory_order_relaxed);
      m.arrive();
      m.arrive();  // the other side has looked, and set all back
    }
  });
  c.add([&] {
    for (std::size_t i = 0; i < turns; ++i) {
      m.arrive();
      for (std::size_t wait = i / 8 % 8; wait != 0; --wait) spin_hint();
      heavy.value.store(1, std::memory_order_relaxed);
      fence_heavy();
      heavy_saw = light.value.load(std::memory_order_relaxed);
      m.arrive();
      if (light_saw == 0 && heavy_saw == 0) ++both_missed;
      for (word_of_a_line& w : far) w.value.store(0, std::memory_order_relaxed);
      light.value.store(0, std::memory_order_relaxed);
      heavy.value.store(0, std::memory_order_relaxed);
      m.arrive();
    }
  });
  c.join();
  EXPECT_EQ(both_missed, 0u);
}

HOP_TEST(base, whether_a_heavy_fence_works_does_not_change) {
  const bool first = fence_heavy_works();
  atomic<int> differed{0};
  crew c;
  for (int t = 0; t < 4; ++t) {
    c.add([&] {
      if (fence_heavy_works() != first) differed.fetch_add(1);
    });
  }
  c.join();
  EXPECT_EQ(differed.load(), 0);
}

}  // namespace
