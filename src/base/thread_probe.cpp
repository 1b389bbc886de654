#include <hop/base/thread_probe.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace hop::base {

thread_probe thread_probe::of_this_thread() noexcept {
  thread_probe p;
  if (::pthread_getcpuclockid(::pthread_self(), &p.clock_) != 0) return p;
  p.tid_ = static_cast<int>(::syscall(SYS_gettid));
  return p;
}

std::int64_t thread_probe::cpu_ns() const noexcept {
  timespec t{};
  if (!valid() || ::clock_gettime(clock_, &t) != 0) return 0;
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

bool thread_probe::waits_in_kernel() const noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid_);
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[512];
  const ssize_t n = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (n <= 0) return false;
  text[n] = '\0';
  // tid (name) state ...; the name may hold anything, so from its last bracket on.
  const char* const end = std::strrchr(text, ')');
  return end != nullptr && end[1] == ' ' && (end[2] == 'S' || end[2] == 'D');
}

}  // namespace hop::base
