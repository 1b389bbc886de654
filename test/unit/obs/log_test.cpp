#include <hop/obs/log.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/hop_test.hpp"

namespace {

using hop::log_level;
using hop::log_line;

struct collected {
  std::atomic<std::uint64_t> lines{0};
  std::string last;
  log_level level{};
  std::string room;
};

void collect(void* context, const log_line& line) noexcept {
  auto& c = *static_cast<collected*>(context);
  c.lines.fetch_add(1);
  c.last = line.text;
  c.level = line.level;
  c.room = line.room;
}

void count(void* context, const log_line&) noexcept { static_cast<std::atomic<std::uint64_t>*>(context)->fetch_add(1); }

// What `body` writes to stderr.
template <class Body>
std::string stderr_of(Body body) {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const int saved = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  body();
  ::dup2(saved, STDERR_FILENO);
  ::close(saved);
  ::close(ends[1]);
  std::string out;
  char buffer[4096];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  return out;
}

HOP_TEST(E38, a_log_sink_receives_every_line_with_its_level_room_and_text) {
  collected c;
  hop::set_log_level(log_level::debug);
  hop::set_log_sink(collect, &c);
  hop::obs::log(log_level::info, "fiber", "hello");
  EXPECT_EQ(c.lines.load(), 1u);
  EXPECT_EQ(c.last, "hello");
  EXPECT_EQ(c.level, log_level::info);
  EXPECT_EQ(c.room, "fiber");
  for (int i = 0; i < 100; ++i) hop::obs::log(log_level::debug, "obs", "again");
  EXPECT_EQ(c.lines.load(), 101u);
  hop::set_log_sink(nullptr);
}

HOP_TEST(E38, a_log_sink_receives_every_line_of_many_threads) {
  const std::size_t each = hop::test::scaled(20'000, 2'000);
  std::atomic<std::uint64_t> lines{0};
  hop::set_log_level(log_level::warn);
  hop::set_log_sink(count, &lines);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([each] {
      for (std::size_t i = 0; i < each; ++i) hop::obs::log(log_level::warn, "obs", "line");
    });
  }
  for (std::thread& t : threads) t.join();
  hop::set_log_sink(nullptr);
  EXPECT_EQ(lines.load(), 4 * each);
}

HOP_TEST(E38, a_replaced_log_sink_is_never_called_again_so_its_context_may_go) {
  // Each context dies right after it was replaced, under the callers; a late call would write into freed memory.
  const int turns = static_cast<int>(hop::test::scaled(3'000, 300));
  hop::set_log_level(log_level::warn);
  auto current = std::make_unique<std::atomic<std::uint64_t>>(0);
  hop::set_log_sink(count, current.get());
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> sent{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      while (!stop.load()) {
        hop::obs::log(log_level::warn, "obs", "line");
        sent.fetch_add(1);
      }
    });
  }
  std::uint64_t received = 0;
  for (int i = 0; i < turns || sent.load() < 100; ++i) {
    auto next = std::make_unique<std::atomic<std::uint64_t>>(0);
    hop::set_log_sink(count, next.get());
    received += current->load();
    current = std::move(next);
  }
  stop.store(true);
  for (std::thread& t : threads) t.join();
  hop::set_log_sink(nullptr);
  EXPECT_EQ(received + current->load(), sent.load());
}

HOP_TEST(E38, replacing_a_log_sink_waits_for_the_call_that_is_under_way) {
  struct slow {
    std::atomic<bool> inside{false}, let_go{false}, left{false};
  } s;
  hop::set_log_level(log_level::warn);
  hop::set_log_sink(
      [](void* context, const log_line&) noexcept {
        auto& me = *static_cast<slow*>(context);
        me.inside.store(true);
        while (!me.let_go.load()) std::this_thread::yield();
        me.left.store(true);
      },
      &s);
  std::thread caller([] { hop::obs::log(log_level::warn, "obs", "line"); });
  while (!s.inside.load()) std::this_thread::yield();
  std::atomic<bool> replaced{false};
  bool left_before = false;
  std::thread exchanger([&] {
    hop::set_log_sink(nullptr);
    left_before = s.left.load();
    replaced.store(true);
  });
  for (int i = 0; i < 2'000; ++i) std::this_thread::yield();
  EXPECT_FALSE(replaced.load());
  s.let_go.store(true);
  exchanger.join();
  caller.join();
  EXPECT_TRUE(left_before);
}

HOP_TEST(obs, without_a_sink_a_line_goes_to_stderr_in_one_piece) {
  hop::set_log_level(log_level::info);
  hop::set_log_sink(nullptr);
  EXPECT_EQ(stderr_of([] { hop::obs::log(log_level::info, "fiber", "two\nlines"); }),
            "hopsack info fiber: two lines\n");
  const std::string text(3'000, 'x');
  EXPECT_EQ(stderr_of([&] { hop::obs::log(log_level::error, "fiber", text); }), "hopsack error fiber: " + text + "\n");
}

HOP_TEST(obs, logging_leaves_errno_alone) {
  hop::set_log_level(log_level::info);
  const int closed = ::dup(STDERR_FILENO);
  errno = 0;
  ::close(STDERR_FILENO);
  errno = 77;
  hop::obs::log(log_level::error, "obs", "nobody hears this");
  const int after = errno;
  ::dup2(closed, STDERR_FILENO);
  ::close(closed);
  EXPECT_EQ(after, 77);
}

HOP_TEST(obs, lines_above_the_level_reach_nobody) {
  collected c;
  hop::set_log_sink(collect, &c);
  hop::set_log_level(log_level::warn);
  hop::obs::log(log_level::info, "obs", "no");
  hop::obs::log(log_level::debug, "obs", "no");
  hop::obs::log(log_level::warn, "obs", "yes");
  hop::set_log_sink(nullptr);
  EXPECT_EQ(c.lines.load(), 1u);
  EXPECT_FALSE(hop::obs::log_wants(log_level::info));
  EXPECT_TRUE(hop::obs::log_wants(log_level::error));
}

HOP_TEST(obs, a_sink_that_logs_writes_to_stderr_instead_of_itself) {
  hop::set_log_level(log_level::warn);
  std::atomic<std::uint64_t> calls{0};
  hop::set_log_sink(
      [](void* context, const log_line&) noexcept {
        static_cast<std::atomic<std::uint64_t>*>(context)->fetch_add(1);
        hop::obs::log(log_level::warn, "obs", "from the sink");
      },
      &calls);
  EXPECT_EQ(stderr_of([] { hop::obs::log(log_level::warn, "obs", "line"); }), "hopsack warn obs: from the sink\n");
  hop::set_log_sink(nullptr);
  EXPECT_EQ(calls.load(), 1u);
}

HOP_TEST(obs, replacing_the_sink_from_inside_a_sink_stops_the_process_with_a_sentence) {
  EXPECT_DEATH(
      {
        hop::set_log_level(log_level::warn);
        hop::set_log_sink([](void*, const log_line&) noexcept { hop::set_log_sink(nullptr); });
        hop::obs::log(log_level::warn, "obs", "line");
      },
      "set_log_sink called from inside a log sink");
}

HOP_TEST(obs, the_level_comes_from_the_environment_and_a_wrong_one_is_named) {
  EXPECT_EXIT(
      {
        ::setenv("HOP_LOG", "debug", 1);
        std::_Exit(hop::current_log_level() == log_level::debug ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        ::unsetenv("HOP_LOG");
        std::_Exit(hop::current_log_level() == log_level::warn ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        ::setenv("HOP_LOG", "loud", 1);
        (void)hop::current_log_level();
      },
      ::testing::ExitedWithCode(2), "HOP_LOG.*loud.*error.*warn.*info.*debug");
}

}  // namespace
