#include <hop/obs/log.hpp>

#include <unistd.h>

#include <cerrno>
#include <new>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/env.hpp>
#include <hop/obs/sink_cell.hpp>

namespace hop {
namespace {

using cell = obs::sink_cell<log_sink>;

// Never destroyed: threads may log until the very end of the process.
cell& the_cell() noexcept {
  alignas(cell) static unsigned char room[sizeof(cell)];
  static cell* const c = new (room) cell;
  return *c;
}

constexpr unsigned unread = 0xff;
base::atomic<unsigned> level_in_force{unread};

// How deep this thread stands in sinks.
// tidy: allow thread_local: a sink never parks, so the thread is the same when it returns; thread_word is the worker's
thread_local int sink_depth = 0;

void write_all(const char* p, std::size_t n) noexcept {
  while (n != 0) {
    const ssize_t done = ::write(STDERR_FILENO, p, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // nobody to tell
    p += done;
    n -= static_cast<std::size_t>(done);
  }
}

// Puts the pieces one after the other into `out`; what would break the line becomes a blank.
std::size_t compose(char* out, std::size_t room, const log_line& line) noexcept {
  std::size_t n = 0;
  for (const std::string_view piece : {std::string_view("hopsack "), to_string(line.level), std::string_view(" "),
                                       line.room, std::string_view(": "), line.text}) {
    for (const char c : piece) {
      if (n + 1 >= room) break;
      out[n++] = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  out[n++] = '\n';
  return n;
}

void write_line(const log_line& line) noexcept {
  const int saved = errno;
  char small[512];
  const std::size_t need = line.room.size() + line.text.size() + 32;
  if (need <= sizeof small) {
    write_all(small, compose(small, sizeof small, line));
  } else if (char* large = new (std::nothrow) char[need]; large != nullptr) {
    write_all(large, compose(large, need, line));
    delete[] large;
  } else {
    write_all(small, compose(small, sizeof small, line));  // its begin is better than nothing
  }
  errno = saved;
}

HOP_NOINLINE unsigned level_from_environment() noexcept {
  const auto word = base::env_choice("HOP_LOG", {"error", "warn", "info", "debug"});
  const unsigned chosen = word ? static_cast<unsigned>(*word) : static_cast<unsigned>(log_level::warn);
  unsigned expected = unread;
  // order: relaxed. pairs: the other accesses of this word. O9: one word that says all; set_log_level wins over us.
  if (level_in_force.compare_exchange_strong(expected, chosen, std::memory_order_relaxed)) return chosen;
  return expected;
}

}  // namespace

void set_log_sink(log_sink sink, void* context) noexcept {
  HOP_ASSERT(sink_depth == 0, "set_log_sink called from inside a log sink: it would wait for itself");
  the_cell().exchange({sink, context});
}

void set_log_level(log_level level) noexcept {
  // order: relaxed. pairs: current_log_level(). O9: one word, nothing hangs on it.
  level_in_force.store(static_cast<unsigned>(level), std::memory_order_relaxed);
}

log_level current_log_level() noexcept {
  // order: relaxed. pairs: set_log_level(). O9: one word, nothing hangs on it.
  unsigned level = level_in_force.load(std::memory_order_relaxed);
  if (level == unread) [[unlikely]]
    level = level_from_environment();
  return static_cast<log_level>(level);
}

namespace obs {

void log(log_level level, std::string_view room, std::string_view text) noexcept {
  if (!log_wants(level)) return;
  const log_line line{level, room, text};
  if (sink_depth != 0) return write_line(line);
  the_cell().call([&](const cell::target& t) {
    if (t.function == nullptr) return write_line(line);
    ++sink_depth;
    t.function(t.context, line);
    --sink_depth;
  });
}

}  // namespace obs
}  // namespace hop
