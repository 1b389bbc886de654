// The known word that somebody who wrote another one may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hopsack {

// "; did you mean demo? Known: demo, run": the first half only where one is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace hopsack
