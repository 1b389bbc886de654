// The C++20 memory model as the standard writes it, for little programs: every reads-from and every modification order is
// tried and held against the axioms. It shares nothing with src/model, which goes step by step.
#pragma once

#include <set>
#include <string>

#include "little_program.hpp"

namespace hop::model {

// Outcomes (as little_program::run() words them) of the executions that C++20 allows and that some order of steps produces in
// which no read comes before its write and each location's writes come in modification order (README, limits).
[[nodiscard]] std::set<std::string> outcomes_by_axioms(const little_program& p);

}  // namespace hop::model
