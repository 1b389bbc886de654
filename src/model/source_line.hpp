// `deque.hpp:57 push: bottom_.store(b + 1, release)`: a place with the text that stands there.
#pragma once

#include <string>

#include <hop/base/place.hpp>

namespace hop::model {

[[nodiscard]] std::string source_line(const base::place& where);
[[nodiscard]] std::string file_part(const std::string& path);

}  // namespace hop::model
