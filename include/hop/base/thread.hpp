// An OS thread of the runtime. Starting one may be refused, so it is a result, not an exception.
#pragma once

#include <hop/base/result.hpp>
#include <hop/base/unique_function.hpp>

#if HOP_MODEL
#include "model/thread.hpp"
#else
#include <pthread.h>
#endif

namespace hop::base {

// Joined before it is destroyed; a running thread at destruction is a programmer error.
class thread {
 public:
  thread() = default;
  thread(thread&& o) noexcept;
  thread& operator=(thread&& o) noexcept;
  ~thread();

  // Starts `body` on a new thread called `name` (the kernel shows the first 15 bytes). All signals but the faults are
  // blocked there. Happens-before: what the caller did before start() is seen by body. An exception that leaves body
  // ends the process. Refused: no_memory or no_thread, and body is destroyed without having run.
  [[nodiscard]] HOP_EXPORT static result<thread> start(const char* name, unique_function<void()> body);

  // Everything body did happens-before join() returns.
  HOP_EXPORT void join();
  [[nodiscard]] bool joinable() const noexcept { return running_; }
#if !HOP_MODEL
  // For the CPU clock of the thread (pthread_getcpuclockid) and for tests.
  [[nodiscard]] pthread_t native() const noexcept { return handle_; }
#endif

 private:
#if HOP_MODEL
  model::thread_id handle_{};
#else
  pthread_t handle_{};
#endif
  bool running_ = false;
};

inline thread::thread(thread&& o) noexcept : handle_(o.handle_), running_(o.running_) { o.running_ = false; }
inline thread& thread::operator=(thread&& o) noexcept {
  HOP_ASSERT(!running_, "base::thread: assigned to while running");
  handle_ = o.handle_;
  running_ = o.running_;
  o.running_ = false;
  return *this;
}
inline thread::~thread() { HOP_ASSERT(!running_, "base::thread: destroyed before join()"); }

}  // namespace hop::base
