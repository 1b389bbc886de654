// Lines for people: what the runtime has to say goes to stderr, or to a sink of yours.
#pragma once

#include <cstdint>
#include <string_view>

#include <hop/base/cache_line.hpp>

namespace hop {

enum class log_level : std::uint8_t {
  error,  // something did not work
  warn,   // it worked, but you would want to know; the level unless HOP_LOG says otherwise
  info,   // what the runtime decided
  debug,  // how it came to it
};

[[nodiscard]] constexpr std::string_view to_string(log_level l) noexcept {
  constexpr std::string_view names[] = {"error", "warn", "info", "debug"};
  return names[static_cast<unsigned>(l) & 3u];
}

// Valid during the call only.
struct log_line {
  log_level level = log_level::info;
  std::string_view room;  // which part of the runtime speaks
  std::string_view text;  // without a newline at its end
};

// Called on the thread that logs, on many at once; no lock of the runtime is held. It must not park or wait for a fiber. If it
// logs itself, that line goes to stderr. It must not call set_log_sink.
using log_sink = void (*)(void* context, const log_line& line) noexcept;

// Sends every later line to `sink`; nullptr is the default: one line on stderr, by one write(2). Any thread.
// `context` stays the caller's. When this returns no call into the sink that was replaced is running, and what those calls
// did happens-before the return: its context may then be destroyed. Must not be called from inside a sink.
HOP_EXPORT void set_log_sink(log_sink sink, void* context = nullptr) noexcept;

// Lines above `level` are dropped. Until the first call the environment decides: HOP_LOG=error|warn|info|debug.
HOP_EXPORT void set_log_level(log_level level) noexcept;
[[nodiscard]] HOP_EXPORT log_level current_log_level() noexcept;

namespace obs {

// Worth asking before a text is put together.
[[nodiscard]] inline bool log_wants(log_level level) noexcept { return level <= current_log_level(); }

// Gives the line to the sink if the level wants it. Never with a lock of the runtime held: the sink is user code.
HOP_EXPORT void log(log_level level, std::string_view room, std::string_view text) noexcept;

}  // namespace obs
}  // namespace hop
