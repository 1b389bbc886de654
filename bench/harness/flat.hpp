// The flat problem: tasks that do not use the processor but block their thread. Whoever keeps some of them where no
// idle worker can get at them shows it here.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstddef>

#include "harness/harness.hpp"

namespace bench {

struct flat_problem {
  explicit flat_problem(const options& o) : tasks(o.count != 0 ? o.count : o.quick ? 64 : 256) {}

  void task() {
    require(::usleep(5000) == 0, "usleep");
    ran_.fetch_add(1, std::memory_order_relaxed);
  }
  // How many times faster run() gets through all tasks than one thread that sleeps them one after the other and is
  // never late.
  template <class Run>
  [[nodiscard]] double speed_up(const options& o, Run run) {
    const double seconds = seconds_each(o, [&] {
      const std::size_t before = ran_.load();
      run();
      require(ran_.load() - before == tasks, "every task ran once");
    });
    return 0.005 * static_cast<double>(tasks) / seconds;
  }

  std::size_t tasks;

 private:
  std::atomic<std::size_t> ran_{0};
};

}  // namespace bench
