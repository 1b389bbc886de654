#include "text.hpp"

#include <fmt/format.h>

namespace hopsack::demo {
namespace {

// Two figures where there is one digit before the point, all digits elsewhere.
std::string with_unit(double value, std::string_view unit) {
  return value < 9.95 ? fmt::format("{:.1f} {}", value, unit) : fmt::format("{:.0f} {}", value, unit);
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string duration_text(double ns) {
  if (ns < 1e3) return with_unit(ns, "ns");
  if (ns < 1e6) return with_unit(ns / 1e3, "us");
  if (ns < 1e9) return with_unit(ns / 1e6, "ms");
  return with_unit(ns / 1e9, "s");
}

std::string bytes_text(double bytes) {
  constexpr double kib = 1024, mib = 1024 * kib, gib = 1024 * mib;
  if (bytes < kib) return fmt::format("{:.0f} bytes", bytes);
  if (bytes < mib) return with_unit(bytes / kib, "KiB");
  return bytes < gib ? with_unit(bytes / mib, "MiB") : with_unit(bytes / gib, "GiB");
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = text.find(' ', width);
    if (cut == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace hopsack::demo
