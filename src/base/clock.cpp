#include <hop/base/clock.hpp>

#include <ctime>

#if HOP_MODEL
#include "model/engine.hpp"
#endif

namespace hop::base {

instant clock::now() noexcept {
#if HOP_MODEL
  return instant{model::virtual_now_ns()};
#else
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return instant{static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec};
#endif
}

}  // namespace hop::base
