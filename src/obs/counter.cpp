#include <hop/obs/counter.hpp>

#include <fmt/format.h>

namespace hop::obs {
namespace {

std::string shares(const counter_set& set, counter c) {
  std::string out;
  for (std::size_t w = 0; w < set.workers(); ++w) {
    if (w != 0) out += ' ';
    out += std::to_string(set.block(w).value(c));
  }
  return out;
}

}  // namespace

std::string counter_table(const counter_set& set) {
  std::string out;
  for (std::size_t i = 0; i < counter_count; ++i) {
    const auto c = static_cast<counter>(i);
    const counter_info& info = info_of(c);
    const std::uint64_t total = set.total(c);
    if (total == 0) continue;
    const std::string by_worker = set.workers() > 1 ? fmt::format(" ({})", shares(set, c)) : std::string();
    out += fmt::format("{:<6} {:<20} {:>12}{}  {}\n", info.room, info.name, total, by_worker, info.what);
  }
  return out;
}

}  // namespace hop::obs
