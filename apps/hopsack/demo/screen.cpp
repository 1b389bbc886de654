#include "screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace hopsack::demo {
namespace {

constexpr std::string_view erase = "\r\x1b[K";
volatile std::sig_atomic_t line_is_drawn = 0;

void write_now(int fd, std::string_view text) noexcept {
  if (::write(fd, text.data(), text.size()) < 0) return;  // nobody to tell
}

// Everything said so far has been flushed, so there is nothing to lose.
void stop(int signal) {
  if (line_is_drawn != 0) write_now(STDOUT_FILENO, erase);
  write_now(STDERR_FILENO, "stopped\n");
  ::_exit(128 + signal);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool draws() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : screen::columns;
}

}  // namespace

screen::screen() : terminal_(draws()), colours_(terminal_ && !is_set("NO_COLOR")) {
  struct sigaction action {};
  action.sa_handler = stop;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);  // nohup stays nohup
  }
}

screen::~screen() { wipe(); }

void screen::line(std::string_view text) {
  wipe();
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void screen::progress(std::string_view text) {
  if (!terminal_) return;
  const hop::instant now = hop::base::clock::now();
  if (line_is_drawn != 0 && now - drawn_ < std::chrono::milliseconds(50)) return;
  drawn_ = now;
  line_is_drawn = 1;
  fmt::print("{}{}", erase, text.substr(0, terminal_columns() - 1));
  std::fflush(stdout);
}

std::string screen::coloured(std::string_view text, bool good) const {
  if (!colours_) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", good ? "32" : "1;31", text);
}

void screen::wipe() {
  if (line_is_drawn == 0) return;
  fmt::print("{}", erase);
  std::fflush(stdout);
  line_is_drawn = 0;
}

}  // namespace hopsack::demo
