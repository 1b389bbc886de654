#include <hop/obs/histogram.hpp>

#include <cmath>

namespace hop::obs {

std::uint64_t histogram::quantile(double p) const noexcept {
  if (count_ == 0) return 0;
  if (!(p > 0.0)) return min_;  // a NaN too
  if (p >= 1.0) return max_;
  const auto rank = static_cast<std::uint64_t>(std::ceil(p * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::clamp(histogram_buckets::high(i), min_, max_);
  }
  return max_;
}

}  // namespace hop::obs
