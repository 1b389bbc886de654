#include <hop/base/ring.hpp>

#include <csignal>
#include <deque>
#include <memory>

#include <hop/base/prng.hpp>

#include "support/hop_test.hpp"

namespace {

using hop::base::ring;

HOP_TEST(base, a_ring_pops_in_the_order_of_pushes_from_either_end) {
  ring<int, 4> r;
  EXPECT_TRUE(r.empty());
  EXPECT_EQ(r.pop_front(), std::nullopt);
  EXPECT_EQ(r.pop_back(), std::nullopt);
  for (int i = 1; i <= 4; ++i) EXPECT_TRUE(r.push_back(i));
  EXPECT_TRUE(r.full());
  EXPECT_EQ(r.size(), r.capacity());
  EXPECT_EQ(r.pop_front(), 1);
  EXPECT_EQ(r.pop_back(), 4);
  EXPECT_EQ(r.pop_front(), 2);
  EXPECT_EQ(r.pop_front(), 3);
  EXPECT_TRUE(r.empty());
}

HOP_TEST(base, a_full_ring_refuses_and_leaves_the_value_with_the_caller) {
  ring<std::unique_ptr<int>, 1> r;
  ASSERT_TRUE(r.push_back(std::make_unique<int>(1)));
  auto second = std::make_unique<int>(2);
  EXPECT_FALSE(r.push_back(std::move(second)));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(**r.pop_front(), 1);
  EXPECT_TRUE(r.push_back(std::move(second)));
  EXPECT_EQ(**r.pop_back(), 2);
}

HOP_TEST(base, a_popped_value_has_left_the_ring) {
  auto token = std::make_shared<int>(0);
  ring<std::shared_ptr<int>, 2> r;
  ASSERT_TRUE(r.push_back(token));
  EXPECT_EQ(token.use_count(), 2);
  r.pop_front().reset();
  EXPECT_EQ(token.use_count(), 1);
}

HOP_TEST(base, an_index_beyond_the_end_of_a_ring_is_found_in_a_checked_build) {
  ring<int, 4> r;
  ASSERT_TRUE(r.push_back(7));
  EXPECT_EQ(r[0], 7);
  if constexpr (hop::base::checked) {
    EXPECT_EXIT(r[1] = 0, ::testing::KilledBySignal(SIGABRT), "ring: index beyond the end");
  } else {
    r[1] = 0;  // a slot of the ring all the same
    EXPECT_EQ(r.size(), 1u);
  }
}

HOP_TEST(base, random_pushes_and_pops_leave_what_a_deque_would_hold) {
  hop::base::prng random(hop::test::seed());
  ring<int, 8> r;
  std::deque<int> model;
  for (int i = 0; i < 20'000; ++i) {
    switch (random.below(4)) {
      case 0:
      case 1:
        ASSERT_EQ(r.push_back(i), model.size() < 8);
        if (model.size() < 8) model.push_back(i);
        break;
      case 2:
        ASSERT_EQ(r.pop_front(), model.empty() ? std::nullopt : std::optional(model.front()));
        if (!model.empty()) model.pop_front();
        break;
      default:
        ASSERT_EQ(r.pop_back(), model.empty() ? std::nullopt : std::optional(model.back()));
        if (!model.empty()) model.pop_back();
        break;
    }
    ASSERT_EQ(r.size(), model.size());
    for (std::size_t k = 0; k < model.size(); ++k) ASSERT_EQ(r[k], model[k]);
  }
}

}  // namespace
