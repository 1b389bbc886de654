// What a thread knows: which stores it may no longer read past, and which moments of other threads happened before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace hop::model {

inline constexpr std::size_t max_threads = 8;

using location_id = std::uint32_t;
using thread_index = std::uint32_t;

// For each location the oldest store (index in its modification order) that may still be read.
class frontier {
 public:
  [[nodiscard]] std::uint32_t at(location_id x) const { return x < oldest_.size() ? oldest_[x] : 0; }
  void raise(location_id x, std::uint32_t index) {
    if (x >= oldest_.size()) oldest_.resize(x + 1, 0);
    oldest_[x] = std::max(oldest_[x], index);
  }
  void join(const frontier& o) {
    if (o.oldest_.size() > oldest_.size()) oldest_.resize(o.oldest_.size(), 0);
    for (std::size_t i = 0; i < o.oldest_.size(); ++i) oldest_[i] = std::max(oldest_[i], o.oldest_[i]);
  }

 private:
  std::vector<std::uint32_t> oldest_;
};

// Vector clock: happens-before, for races on plain data.
class vector_clock {
 public:
  [[nodiscard]] std::uint32_t at(thread_index t) const { return time_[t]; }
  void tick(thread_index t) { ++time_[t]; }
  void join(const vector_clock& o) {
    for (std::size_t i = 0; i < max_threads; ++i) time_[i] = std::max(time_[i], o.time_[i]);
  }

 private:
  std::array<std::uint32_t, max_threads> time_{};
};

struct knowledge {
  frontier seen;
  vector_clock clock;
  void join(const knowledge& o) {
    seen.join(o.seen);
    clock.join(o.clock);
  }
};

}  // namespace hop::model
