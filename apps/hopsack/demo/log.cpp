// A sink of one's own receives what would go to stderr, from any thread.
#include <hop/obs/log.hpp>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "step.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

struct kept {
  std::mutex mu;
  std::vector<std::string> lines;
};

void keep(void* context, const hop::log_line& line) noexcept {
  auto& k = *static_cast<kept*>(context);
  const std::lock_guard hold(k.mu);
  k.lines.push_back(fmt::format("{} {}: {}", to_string(line.level), line.room, line.text));
}

void talk(int who, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    hop::obs::log(hop::log_level::info, "demo", fmt::format("line {} of thread {}", i + 1, who));
    hop::obs::log(hop::log_level::debug, "demo", "finer than asked for");
  }
}

}  // namespace

outcome catch_log_lines(stage& s) {
  const std::size_t each = s.count(10'000, 1'000);
  const hop::log_level before = hop::current_log_level();
  kept k;
  hop::set_log_level(hop::log_level::info);
  hop::set_log_sink(keep, &k);
  std::thread first(talk, 1, each), second(talk, 2, each);
  first.join();
  second.join();
  hop::set_log_sink(nullptr);  // from here on nobody uses k
  hop::set_log_level(before);
  const bool right = k.lines.size() == 2 * each;
  return {
      right,
      grouped(k.lines.size()) + " lines",
      {fmt::format("Two threads said {} lines at level info and as many at debug; the sink got {}, the last one: {}",
                   grouped(2 * each), grouped(k.lines.size()), k.lines.empty() ? "none" : k.lines.back())}};
}

}  // namespace hopsack::demo
