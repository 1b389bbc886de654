// Monotonic time in nanoseconds. The model and the simulator have their own clock behind the same names.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <type_traits>

#include <hop/base/cache_line.hpp>

namespace hop::base {

using duration = std::chrono::nanoseconds;

// A point on the monotonic clock. Comparable, and the difference of two is a duration.
class instant {
 public:
  constexpr instant() = default;
  constexpr explicit instant(std::int64_t ns) noexcept : ns_(ns) {}

  [[nodiscard]] constexpr std::int64_t ns() const noexcept { return ns_; }
  constexpr auto operator<=>(const instant&) const = default;

  // Both saturate: `now + hours::max()` is `never`, not the past, and a deadline long gone is not far ahead.
  friend constexpr duration operator-(instant a, instant b) noexcept {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.ns_, b.ns_, &difference)) return a > b ? duration::max() : duration::min();
    return duration{difference};
  }
  friend constexpr instant operator+(instant a, duration d) noexcept {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.ns_, d.count(), &sum)) return instant{d.count() > 0 ? INT64_MAX : INT64_MIN};
    return instant{sum};
  }
  // For coarser units: chrono's own conversion to nanoseconds overflows silently.
  template <class Rep, class Period>
  requires std::is_convertible_v<std::chrono::duration<Rep, Period>, duration>
  friend constexpr instant operator+(instant a, std::chrono::duration<Rep, Period> d) noexcept {
    using wide = std::chrono::duration<std::int64_t, Period>;
    if (wide{d} > std::chrono::duration_cast<wide>(duration::max())) return a + duration::max();
    if (wide{d} < std::chrono::duration_cast<wide>(duration::min())) return a + duration::min();
    return a + duration{d};
  }

 private:
  std::int64_t ns_ = 0;
};

// A wait that ends at an instant, or never.
using deadline = instant;
inline constexpr deadline never{INT64_MAX};

struct clock {
  // Monotonic, about 20 ns a call. Virtual in the model: it moves only when a timed wait ends.
  [[nodiscard]] HOP_EXPORT static instant now() noexcept;
};

}  // namespace hop::base

namespace hop {
using base::instant;
}
