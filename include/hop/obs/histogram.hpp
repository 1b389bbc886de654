// A histogram of 64-bit values: 16 buckets to each power of two, so a quantile errs by at most 1/16 upwards (O2).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <hop/base/cache_line.hpp>

namespace hop::obs {

// The buckets: 0 to 15 have one each; from 2^4 on every power of two is cut into 16 equal parts.
struct histogram_buckets {
  static constexpr std::size_t parts_log2 = 4;
  static constexpr std::size_t parts = std::size_t{1} << parts_log2;
  static constexpr std::size_t count = (64 - parts_log2 + 1) * parts;

  [[nodiscard]] static constexpr std::size_t index(std::uint64_t v) noexcept {
    if (v < parts) return static_cast<std::size_t>(v);
    const auto shift = static_cast<std::size_t>(std::bit_width(v)) - 1 - parts_log2;
    return (shift << parts_log2) + static_cast<std::size_t>(v >> shift);
  }
  // The smallest and the largest value of a bucket.
  [[nodiscard]] static constexpr std::uint64_t low(std::size_t i) noexcept {
    if (i < 2 * parts) return i;
    return static_cast<std::uint64_t>(i % parts + parts) << (i / parts - 1);
  }
  [[nodiscard]] static constexpr std::uint64_t high(std::size_t i) noexcept {
    return i + 1 == count ? std::numeric_limits<std::uint64_t>::max() : low(i + 1) - 1;
  }
};
static_assert(histogram_buckets::index(std::numeric_limits<std::uint64_t>::max()) == histogram_buckets::count - 1);

// Sums stop at the largest value instead of wrapping: a mean may then be too small, never nonsense.
[[nodiscard]] constexpr std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

// A value of 7.7 KiB: copy it, merge it. Not for two threads at once; histogram_recorder is.
class histogram {
 public:
  void record(std::uint64_t v) noexcept {
    ++buckets_[histogram_buckets::index(v)];
    ++count_;
    sum_ = add_saturating(sum_, v);
    min_ = std::min(min_, v);
    max_ = std::max(max_, v);
  }

  // As if everything recorded in `o` had been recorded here.
  void merge(const histogram& o) noexcept {
    for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += o.buckets_[i];
    count_ += o.count_;
    sum_ = add_saturating(sum_, o.sum_);
    min_ = std::min(min_, o.min_);
    max_ = std::max(max_, o.max_);
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  // 0 while empty, all of them.
  [[nodiscard]] std::uint64_t min() const noexcept { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }
  [[nodiscard]] double mean() const noexcept {
    return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  // The value of rank ceil(p * count), at least 1: never below it, at most 1/16 above. p is held to 0..1; 0 and 1 are exact.
  [[nodiscard]] HOP_EXPORT std::uint64_t quantile(double p) const noexcept;
  [[nodiscard]] std::uint64_t in_bucket(std::size_t i) const noexcept { return buckets_[i]; }

  bool operator==(const histogram&) const = default;

 private:
  friend class histogram_recorder;

  std::array<std::uint64_t, histogram_buckets::count> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
};

}  // namespace hop::obs
