// Numbers and lines for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hopsack::demo {

// 1234567 is "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t n);
// "1.3 ns", "12 us", "3.4 ms", "1.2 s".
[[nodiscard]] std::string duration_text(double ns);
// "480 KiB", "98 MiB".
[[nodiscard]] std::string bytes_text(double bytes);
// Lines of at most `width` columns, broken at blanks; a word that is longer stays whole.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace hopsack::demo
