// Waits for tasks that nobody holds a handle of. Everyone pays one atomic subtraction for a task.
#pragma once

#include <atomic>
#include <cstddef>
#include <semaphore>

#include "harness/harness.hpp"

namespace bench {

class countdown {
 public:
  explicit countdown(std::size_t n) : left_(n) {}
  void arrive() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) end_.release();
  }
  void wait() {
    end_.acquire();
    require(left_.load(std::memory_order_acquire) == 0, "every task ran once");
  }

 private:
  std::atomic<std::size_t> left_;
  std::binary_semaphore end_{0};
};

struct submit_problem {
  explicit submit_problem(const options& o) : tasks(o.count != 0 ? o.count : o.quick ? 20'000 : 1'000'000) {}
  // ns per task of submit(tasks, done): every task calls done.arrive().
  template <class Submit>
  [[nodiscard]] double ns_per_task(const options& o, Submit submit) const {
    const auto all = [&](std::size_t n) {
      countdown done(n);
      submit(n, done);
      done.wait();
    };
    all(1000);
    return 1e9 / static_cast<double>(tasks) * seconds_each(o, [&] { all(tasks); });
  }
  std::size_t tasks;
};

}  // namespace bench
