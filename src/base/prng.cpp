#include <hop/base/prng.hpp>

#include <sys/random.h>

#include <hop/base/clock.hpp>

#if HOP_MODEL
#include "model/engine.hpp"
#endif

namespace hop::base {

std::uint64_t entropy_seed() noexcept {
#if HOP_MODEL
  return model::search_seed();
#else
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, GRND_NONBLOCK) == static_cast<ssize_t>(sizeof seed)) return seed;
  return static_cast<std::uint64_t>(clock::now().ns());  // early boot: any spread will do, it is no secret
#endif
}

}  // namespace hop::base
