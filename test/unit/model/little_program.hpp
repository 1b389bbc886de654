// little_program: straight-line threads over two locations and a mutex, made from a seed, run under the checker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hop/base/prng.hpp>

#include "model/operation.hpp"

namespace hop::model {

enum class verb : std::uint8_t {
  load,
  store,
  exchange,
  add,
  fence,
  cas,
  cas_weak,
  with_lock,
  try_lock,
  sleep,
  sleep_timed,
  wake,
  spin
};

struct instruction {
  verb what{};
  std::uint32_t location = 0;
  std::memory_order order = std::memory_order_relaxed;
  std::uint32_t value = 0;     // stored, or added
  std::uint32_t expected = 0;  // cas, sleep
  std::memory_order fail = std::memory_order_relaxed;
};

struct little_program {
  static constexpr std::uint32_t locations = 2;
  std::vector<std::vector<instruction>> threads;

  // What the threads read, in their order, and the last value of each location. Call it as the body of a run.
  [[nodiscard]] std::string run() const;
  [[nodiscard]] std::string text() const;  // for the message of a failed test
};

// Loads, stores, read-modify-writes and fences of every order: what little_axioms.hpp understands. At most `events` of them.
[[nodiscard]] little_program random_accesses(base::prng& random, std::uint32_t events);
// Everything there is.
[[nodiscard]] little_program random_program(base::prng& random, std::uint32_t events);

}  // namespace hop::model
