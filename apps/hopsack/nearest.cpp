#include "nearest.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hopsack {
namespace {

char folded(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// How many letters must be put in, left out, exchanged for another or with their neighbour; upper and lower case alike.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const auto same = [&](std::size_t k, std::size_t l) { return folded(a[k - 1]) == folded(b[l - 1]); };
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same(i, j) ? 0U : 1U)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const auto closer = [word](const std::string& a, const std::string& b) {
    return distance(word, a) < distance(word, b);
  };
  const auto best = std::min_element(known.begin(), known.end(), closer);
  const bool near = best != known.end() && 2 * distance(word, *best) <= std::max(word.size(), best->size());
  return fmt::format("{} Known: {}", near ? fmt::format("; did you mean {}?", *best) : ".", fmt::join(known, ", "));
}

}  // namespace hopsack
