// One line of the test report (build/report/results.jsonl) for a piece or a mutant.
#pragma once

#include <cstdint>
#include <string>

namespace hop::model {

void report_line(const std::string& row, const std::string& claim, bool passed, std::uint64_t seed, double seconds);

}  // namespace hop::model
