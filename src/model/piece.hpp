// A piece: a small program with a claim, the way to search it, and the defects that must be caught.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/engine.hpp"

namespace hop::model {

enum class strategy : std::uint8_t {
  exhaustive,  // every run, up to the order of independent steps
  bounded,     // every run with at most `preemptions` forced switches
  random,      // `runs` runs from the seed on
};

struct search {
  strategy how = strategy::exhaustive;
  std::uint32_t preemptions = 2;
  std::uint64_t runs = 20'000;          // random only
  std::uint64_t most_runs = 2'000'000;  // a search that needs more has not shown its claim: the piece fails
};

// A weakened order that changes nothing that can be seen, with the reason. It must survive, or the reason is wrong.
struct harmless {
  std::string mutant;
  std::string why;
};

struct piece {
  std::string name;
  std::string row = "model";  // feature row, or the room
  std::string claim;          // in_words
  std::function<void()> body;
  search how{};
  bool spurious = true;
  // For a piece with a known bug: part of what the finding must say. Empty: there must be none.
  std::string must_find{};
  // HOP_MUTANT names in the code that this piece must catch.
  std::vector<std::string> code_mutants{};
  // Weaken every order in these files (by file name), one at a time; each must be caught or be declared harmless.
  std::vector<std::string> weaken_in{};
  std::vector<harmless> survivors{};
};

[[nodiscard]] std::vector<piece>& all_pieces();

struct registration {
  explicit registration(piece p) { all_pieces().push_back(std::move(p)); }
};

struct search_report {
  std::uint64_t runs = 0;
  std::uint64_t pruned = 0;
  std::uint64_t steps = 0;
  bool complete = true;  // false: most_runs was not enough
  run_outcome finding;   // failure is set when there is one
  double seconds = 0;
};

// Searches the piece with `planted` (or nullptr) until its end or the first finding.
search_report search_piece(const piece& p, const mutant* planted, std::uint64_t seed);
// One run as recorded, with a trace.
run_outcome replay_piece(const piece& p, const mutant* planted, const std::vector<std::uint32_t>& choices,
                         bool& strayed);

// The code mutants of the piece and one weakening for every order met while searching it.
std::vector<mutant> mutants_of(const piece& p, std::uint64_t seed);

void plant(const mutant* m);

}  // namespace hop::model
