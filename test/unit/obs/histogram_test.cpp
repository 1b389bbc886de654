#include <hop/obs/histogram.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include <hop/base/prng.hpp>
#include <hop/obs/histogram_recorder.hpp>

#include "support/hop_test.hpp"

namespace {

using hop::obs::histogram;
using buckets = hop::obs::histogram_buckets;

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// All magnitudes alike: a random number of random width.
std::vector<std::uint64_t> random_values(std::uint64_t seed, std::size_t n, unsigned max_bits) {
  hop::base::prng random(seed);
  std::vector<std::uint64_t> out(n);
  for (std::uint64_t& v : out) v = random.next() >> (64 - 1 - random.below(max_bits));
  return out;
}

histogram of(const std::vector<std::uint64_t>& values) {
  histogram h;
  for (const std::uint64_t v : values) h.record(v);
  return h;
}

HOP_TEST(obs, buckets_lie_end_to_end_over_all_values) {
  EXPECT_EQ(buckets::low(0), 0u);
  EXPECT_EQ(buckets::high(buckets::count - 1), largest);
  for (std::size_t i = 0; i < buckets::count; ++i) {
    ASSERT_EQ(buckets::index(buckets::low(i)), i);
    ASSERT_EQ(buckets::index(buckets::high(i)), i);
    ASSERT_EQ(buckets::low(i), i == 0 ? 0 : buckets::high(i - 1) + 1);
    ASSERT_LE(buckets::high(i) - buckets::low(i), buckets::low(i) / 16) << "bucket " << i << " is wider than 1/16";
  }
}

HOP_TEST(obs, an_empty_histogram_says_zero) {
  const histogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.min(), 0u);
  EXPECT_EQ(h.max(), 0u);
  EXPECT_EQ(h.quantile(0.5), 0u);
  EXPECT_EQ(h.mean(), 0.0);
}

HOP_TEST(obs, a_quantile_is_at_most_a_sixteenth_above_the_sorted_truth_and_never_below) {
  for (const unsigned bits : {4u, 12u, 40u, 63u}) {
    for (const std::size_t n : {1u, 2u, 17u, 1000u, 5000u}) {
      std::vector<std::uint64_t> values = random_values(hop::test::seed() + n * 64 + bits, n, bits);
      const histogram h = of(values);
      std::sort(values.begin(), values.end());
      for (int step = 1; step < 200; ++step) {
        const double p = step / 200.0;
        const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(n)));
        const std::uint64_t truth = values[rank - 1];
        const std::uint64_t q = h.quantile(p);
        ASSERT_GE(q, truth) << "p " << p << " n " << n;
        ASSERT_LE(q - truth, truth / 16) << "p " << p << " n " << n;
      }
      EXPECT_EQ(h.quantile(0), values.front());
      EXPECT_EQ(h.quantile(1), values.back());
    }
  }
}

HOP_TEST(obs, count_sum_min_max_and_mean_are_exact) {
  const std::vector<std::uint64_t> values = random_values(hop::test::seed(), 3000, 40);
  const histogram h = of(values);
  std::uint64_t sum = 0;
  for (const std::uint64_t v : values) sum += v;
  EXPECT_EQ(h.count(), values.size());
  EXPECT_EQ(h.sum(), sum);
  EXPECT_EQ(h.min(), *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(h.max(), *std::max_element(values.begin(), values.end()));
  EXPECT_DOUBLE_EQ(h.mean(), static_cast<double>(sum) / static_cast<double>(values.size()));
}

HOP_TEST(obs, a_sum_too_large_stays_at_the_largest_value) {
  histogram h;
  h.record(largest);
  h.record(largest);
  EXPECT_EQ(h.sum(), largest);
  EXPECT_EQ(h.count(), 2u);
  EXPECT_EQ(h.max(), largest);
}

HOP_TEST(obs, merging_equals_recording_everything_in_any_order) {
  const auto a = random_values(hop::test::seed(), 500, 63);
  const auto b = random_values(hop::test::seed() + 1, 300, 20);
  const auto c = random_values(hop::test::seed() + 2, 1, 5);
  std::vector<std::uint64_t> all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  histogram left = of(a), right = of(c), bc = of(b);
  left.merge(of(b));
  left.merge(of(c));
  bc.merge(of(c));
  right = bc;
  right.merge(of(a));
  EXPECT_TRUE(left == of(all));
  EXPECT_TRUE(right == of(all));
  left.merge(histogram{});
  EXPECT_TRUE(left == of(all));
}

HOP_TEST(obs, a_recorder_reads_back_what_a_histogram_would_hold) {
  const auto values = random_values(hop::test::seed(), 2000, 50);
  hop::obs::histogram_recorder r;
  EXPECT_TRUE(r.read() == histogram{});
  for (const std::uint64_t v : values) r.record(v);
  EXPECT_TRUE(r.read() == of(values));
}

HOP_TEST(obs, a_reading_beside_the_recorder_covers_every_value_it_counts) {
  const std::size_t n = hop::test::scaled(300'000, 20'000);
  const auto values = random_values(hop::test::seed(), n, 50);
  hop::obs::histogram_recorder r;
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    for (const std::uint64_t v : values) r.record(v);
    stop.store(true);
  });
  std::uint64_t last = 0;
  bool good = true;
  for (bool ended = false; !ended;) {
    ended = stop.load();
    const histogram h = r.read();
    good = good && h.count() >= last;
    last = h.count();
    for (std::size_t i = 0; i < buckets::count; ++i) {
      if (h.in_bucket(i) != 0) good = good && h.min() <= buckets::high(i) && h.max() >= buckets::low(i);
    }
  }
  owner.join();
  EXPECT_TRUE(good);
  EXPECT_TRUE(r.read() == of(values));
}

}  // namespace
