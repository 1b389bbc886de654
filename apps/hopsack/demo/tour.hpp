// The tour: steps one after the other, each shown while it runs, and a table at the end.
#pragma once

#include <vector>

#include "step.hpp"

namespace hopsack::demo {

// 0: every answer was right; 1: one was not.
[[nodiscard]] int run_tour(const std::vector<step>& steps, bool quick);

}  // namespace hopsack::demo
