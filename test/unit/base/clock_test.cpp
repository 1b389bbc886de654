#include <hop/base/clock.hpp>

#include <chrono>

#include <hop/base/prng.hpp>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace std::chrono_literals;

HOP_TEST(base, the_clock_never_goes_back) {
  instant last = clock::now();
  EXPECT_GT(last.ns(), 0);
  for (int i = 0; i < 10'000; ++i) {
    const instant now = clock::now();
    ASSERT_GE(now, last);
    last = now;
  }
}

HOP_TEST(base, the_clock_is_the_monotonic_one_of_the_kernel) {
  const instant before = clock::now();
  timespec t{};
  ASSERT_EQ(::clock_gettime(CLOCK_MONOTONIC, &t), 0);
  const instant kernel{static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec};
  EXPECT_LE(before, kernel);
  EXPECT_LE(kernel, clock::now());
}

HOP_TEST(base, instants_and_durations_add_up) {
  constexpr instant t{1'000};
  EXPECT_EQ((t + 5us).ns(), 6'000);
  EXPECT_EQ((t + -400ns).ns(), 600);
  EXPECT_EQ((t + 2h) - t, 2h);
  EXPECT_EQ(t - (t + 3s), -3s);
  EXPECT_LT(t, t + 1ns);
  EXPECT_EQ(instant{}.ns(), 0);
}

HOP_TEST(base, adding_to_an_instant_saturates_in_every_unit) {
  constexpr instant t{5};
  EXPECT_EQ(t + duration::max(), never);
  EXPECT_EQ(t + std::chrono::hours::max(), never);
  EXPECT_EQ(t + std::chrono::milliseconds::max(), never);
  EXPECT_EQ(t + std::chrono::seconds(10'000'000'000), never);
  EXPECT_EQ(never + 1ns, never);
  EXPECT_EQ((instant{-5} + duration::min()).ns(), INT64_MIN);
  EXPECT_EQ((instant{-5} + std::chrono::hours::min()).ns(), INT64_MIN);
  EXPECT_LT(t + std::chrono::seconds(9'000'000'000), never) << "285 years are not never";
}

HOP_TEST(base, the_difference_of_far_instants_saturates) {
  EXPECT_EQ(never - instant{-5}, duration::max());
  EXPECT_EQ(instant{INT64_MIN} - instant{5}, duration::min());
  const instant now = clock::now();
  EXPECT_EQ((now + duration::min()) - (now + 1h), duration::min()) << "long gone, not far ahead";
  EXPECT_GT(never - clock::now(), 24h * 365 * 100);
}

HOP_TEST(base, instants_order_and_subtract_as_their_numbers_do) {
  prng random(hop::test::seed());
  for (int i = 0; i < 1'000; ++i) {
    const auto a = static_cast<std::int64_t>(random.next() >> 2), b = static_cast<std::int64_t>(random.next() >> 2);
    ASSERT_EQ(instant{a} < instant{b}, a < b);
    ASSERT_EQ((instant{a} - instant{b}).count(), a - b);
    ASSERT_EQ(instant{b} + (instant{a} - instant{b}), instant{a});
  }
}

}  // namespace
