// Where the tour is shown: lines on stdout, and on a terminal a last line that is written again and again.
#pragma once

#include <string>
#include <string_view>

#include <hop/base/clock.hpp>

namespace hopsack::demo {

class screen {
 public:
  static constexpr std::size_t columns = 80;  // what everything is laid out for

  // Ctrl-C, SIGTERM and SIGHUP from now on wipe the last line and end the process with 128 + signal.
  screen();
  ~screen();
  screen(const screen&) = delete;
  screen& operator=(const screen&) = delete;

  void line(std::string_view text = {});
  // The moving line; nothing where stdout is no terminal. Drawn at most every 50 ms.
  void progress(std::string_view text);
  // Green or red where that can be shown.
  [[nodiscard]] std::string coloured(std::string_view text, bool good) const;

 private:
  void wipe();

  bool terminal_;
  bool colours_;
  hop::instant drawn_;
};

}  // namespace hopsack::demo
