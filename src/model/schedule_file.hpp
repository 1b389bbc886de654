// A run on disk: text, so that it can be read, mailed and kept as a regression test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hop::model {

struct schedule {
  std::string piece;
  std::string mutant;  // empty: none
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> choices;
};

// false with the reason in `problem`.
bool write_schedule(const std::string& path, const schedule& s, std::string& problem);
bool read_schedule(const std::string& path, schedule& s, std::string& problem);

}  // namespace hop::model
