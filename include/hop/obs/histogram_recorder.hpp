// A worker's histogram that others may read while it records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/obs/histogram.hpp>

namespace hop::obs {

// One thread at a time records, as with counter_block; any thread reads. No read-modify-write.
class alignas(base::cache_line) histogram_recorder {
 public:
  void record(std::uint64_t v) noexcept {
    // order: relaxed, the next three pairs. pairs: read(). O3: the bucket's release below publishes them.
    sum_.store(add_saturating(sum_.load(std::memory_order_relaxed), v), std::memory_order_relaxed);
    if (v < min_.load(std::memory_order_relaxed)) min_.store(v, std::memory_order_relaxed);
    if (v > max_.load(std::memory_order_relaxed)) max_.store(v, std::memory_order_relaxed);
    base::atomic<std::uint64_t>& bucket = buckets_[histogram_buckets::index(v)];
    // order: relaxed load of our own word, release store. pairs: read(), acquire. O3: who counts v sees its sum, min, max.
    bucket.store(bucket.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  // Everything recorded before the call in happens-before, and perhaps more.
  [[nodiscard]] histogram read() const noexcept {
    histogram h;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      // order: acquire. pairs: record()'s release of the bucket. O3: sum, min and max below cover what is counted here.
      h.buckets_[i] = buckets_[i].load(std::memory_order_acquire);
      h.count_ += h.buckets_[i];
    }
    if (h.count_ == 0) return h;  // a first value under way may have left its sum already
    // order: relaxed, all three. pairs: record(). O3: read after the buckets, which were acquired.
    h.sum_ = sum_.load(std::memory_order_relaxed);
    h.min_ = min_.load(std::memory_order_relaxed);
    h.max_ = max_.load(std::memory_order_relaxed);
    return h;
  }

 private:
  std::array<base::atomic<std::uint64_t>, histogram_buckets::count> buckets_{};
  base::atomic<std::uint64_t> sum_{0};
  base::atomic<std::uint64_t> min_{std::numeric_limits<std::uint64_t>::max()};
  base::atomic<std::uint64_t> max_{0};
};

}  // namespace hop::obs
