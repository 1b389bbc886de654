// A fiber that recurses without end, in a child process, since it ends with it.
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fcntl.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <hop/fiber/overflow.hpp>

#include "ground.hpp"
#include "step.hpp"

extern char** environ;  // NOLINT: the C library's

namespace hopsack::demo {
namespace {

namespace hf = hop::fiber;

[[gnu::noinline]] int recurse(int level) {
  volatile char frame[512];
  frame[0] = 1;
  return level == 0 ? 0 : recurse(level - 1) + frame[0];
}

hf::handover eat(hf::fiber&, void* came_from) {
  std::printf("%d\n", recurse(1'000'000'000));
  return {static_cast<hf::fiber*>(came_from), nullptr};
}

struct ended {
  int status = 0;  // as a shell would show it
  std::string said;
};

std::string read_all(int fd) {
  std::string text;
  std::array<char, 512> part;
  for (;;) {
    const ssize_t n = ::read(fd, part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
}

// This very program again, with another command; what it says on stderr and how it ends.
ended run_self(const char* command) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error(std::strerror(errno));
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
  std::string name = "hopsack", word = command;
  std::array<char*, 3> words{name.data(), word.data(), nullptr};
  pid_t child = 0;
  const int refused = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  ended e;
  if (refused == 0) e.said = read_all(pipe[0]);
  ::close(pipe[0]);
  if (refused != 0) throw std::runtime_error(std::strerror(refused));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  e.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  while (!e.said.empty() && e.said.back() == '\n') e.said.pop_back();
  return e;
}

}  // namespace

void overflow_in_this_process() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // it dies on purpose
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  hf::install_overflow_handler();
  const auto on = hf::signal_stack::put_on();
  ground g;
  run_until_parked(g.here, g.make({.name = "greedy"}, eat, nullptr));
  std::_Exit(3);  // not reached: a stack without end
}

outcome overflow_a_stack(stage&) {
  const ended e = run_self("overflow-a-stack");
  const bool named = e.said.find("stack overflow in fiber 'greedy'") != std::string::npos;
  return {named && e.status == 128 + SIGABRT,
          fmt::format("{}, status {}", named ? "named" : "not named", e.status),
          {fmt::format("A child process let a fiber recurse without end. It ended with status {} and said:", e.status),
           e.said}};
}

}  // namespace hopsack::demo
