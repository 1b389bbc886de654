// What the runner says to a test program through HOP_TEST_*.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hop::test {

struct environment {
  std::string report;  // file to append to; empty: none
  std::string preset;
  std::uint64_t workers = 2;
  std::optional<std::uint64_t> seed;
  bool full = false;
};

// Read once; a value that is no number ends the program with status 2 and a sentence.
const environment& env();

}  // namespace hop::test
