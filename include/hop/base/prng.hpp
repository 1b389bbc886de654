// Pseudo-random numbers: small, fast, repeatable from a seed.
#pragma once

#include <cstdint>

#include <hop/base/cache_line.hpp>

namespace hop::base {

// xorshift64*: period 2^64 - 1. Not for secrets.
class prng {
 public:
  // Any seed will do, zero too.
  constexpr explicit prng(std::uint64_t seed) noexcept : state_(mix(seed)) {
    if (state_ == 0) state_ = 0x9e3779b97f4a7c15u;
  }

  constexpr std::uint64_t next() noexcept {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }

  // Uniform in [0, bound) up to a bias of bound / 2^32, by multiplication (no division). bound > 0.
  constexpr std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  // splitmix64's finaliser: neighbouring seeds give unrelated streams.
  static constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// A seed from the kernel. Only for choosing a seed that is then printed or fixed; the simulator gives its own.
[[nodiscard]] HOP_EXPORT std::uint64_t entropy_seed() noexcept;

}  // namespace hop::base
