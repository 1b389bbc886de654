#include <hop/base/spsc_ring.hpp>

#include <deque>
#include <memory>

#include <hop/base/prng.hpp>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

HOP_TEST(base, an_spsc_ring_is_empty_then_full_then_empty) {
  spsc_ring<int, 2> r;
  EXPECT_TRUE(r.seems_empty());
  EXPECT_EQ(r.try_pop(), std::nullopt);
  EXPECT_TRUE(r.try_push(1));
  EXPECT_TRUE(r.try_push(2));
  EXPECT_FALSE(r.seems_empty());
  EXPECT_FALSE(r.try_push(3));
  EXPECT_EQ(r.try_pop(), 1);
  EXPECT_TRUE(r.try_push(4));
  EXPECT_EQ(r.try_pop(), 2);
  EXPECT_EQ(r.try_pop(), 4);
  EXPECT_EQ(r.try_pop(), std::nullopt);
  EXPECT_TRUE(r.seems_empty());
  EXPECT_EQ(r.capacity(), 2u);
}

HOP_TEST(base, a_full_spsc_ring_leaves_the_value_with_the_producer) {
  spsc_ring<std::unique_ptr<int>, 1> r;
  ASSERT_TRUE(r.try_push(std::make_unique<int>(1)));
  auto second = std::make_unique<int>(2);
  EXPECT_FALSE(r.try_push(std::move(second)));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(**r.try_pop(), 1);
  EXPECT_TRUE(r.try_push(std::move(second)));
  EXPECT_EQ(**r.try_pop(), 2);
}

HOP_TEST(base, the_two_ends_of_an_spsc_ring_write_to_different_cache_lines) {
  EXPECT_EQ(alignof(spsc_ring<int, 2>), +cache_line);
  EXPECT_EQ(sizeof(spsc_ring<int, 2>), 3 * cache_line) << "slots, consumer, producer";
}

HOP_TEST(base, random_turns_of_an_spsc_ring_leave_what_a_deque_would_hold) {
  prng random(hop::test::seed());
  spsc_ring<int, 8> r;
  std::deque<int> model;
  for (int i = 0; i < 20'000; ++i) {
    if (random.below(2) == 0) {
      ASSERT_EQ(r.try_push(i), model.size() < 8);
      if (model.size() < 8) model.push_back(i);
    } else {
      ASSERT_EQ(r.try_pop(), model.empty() ? std::nullopt : std::optional(model.front()));
      if (!model.empty()) model.pop_front();
    }
    ASSERT_EQ(r.seems_empty(), model.empty());
  }
}

// Two words that belong together, so that a value popped half shows.
struct pair_of_words {
  std::uint64_t n = 0;
  std::uint64_t check = ~std::uint64_t{0};
};

template <class Ring>
auto pop(Ring& r) {
  for (;;) {
    if (auto v = r.try_pop()) return std::move(*v);
    os_yield();
  }
}

template <std::size_t N>
void pass(std::uint64_t count) {
  spsc_ring<pair_of_words, N> r;
  std::uint64_t wrong = 0;
  crew c;
  c.add([&] {
    for (std::uint64_t i = 0; i < count; ++i)
      while (!r.try_push({i, ~i})) os_yield();
  });
  c.add([&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      const pair_of_words v = pop(r);
      if (v.n != i || v.check != ~i) ++wrong;
    }
  });
  c.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(r.seems_empty());
}

HOP_TEST(base, every_value_pushed_between_two_threads_is_popped_once_in_order_and_whole) {
  pass<1>(hop::test::scaled(20'000, 2'000));
  pass<8>(hop::test::scaled(500'000, 20'000));
  pass<1024>(hop::test::scaled(2'000'000, 50'000));
}

HOP_TEST(base, what_can_only_be_moved_passes_between_two_threads_and_none_is_leaked) {
  const int count = static_cast<int>(hop::test::scaled(50'000, 5'000));
  spsc_ring<std::unique_ptr<int>, 16> r;  // asan counts the blocks, and the ring owns those left in it
  long long sum = 0;
  crew c;
  c.add([&] {
    for (int i = 0; i < count + 5; ++i) {
      auto v = std::make_unique<int>(i);
      while (!r.try_push(std::move(v))) os_yield();
    }
  });
  c.add([&] {
    for (int i = 0; i < count; ++i) {
      sum += *pop(r);
    }
  });
  c.join();
  EXPECT_EQ(sum, static_cast<long long>(count) * (count - 1) / 2);
  EXPECT_FALSE(r.seems_empty());
}

}  // namespace
