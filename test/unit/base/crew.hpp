// Threads of a test: all start together, all are joined at the end of the scope.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <hop/base/atomic.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/base/thread.hpp>

namespace hop::base::test {

class crew {
 public:
  crew() = default;
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() { join(); }

  void add(unique_function<void()> body) { threads_.push_back(thread::start("crew", std::move(body)).value()); }
  void join() {
    for (thread& t : threads_) t.join();
    threads_.clear();
  }

 private:
  std::vector<thread> threads_;
};

// A meeting point for `n` threads, again and again. Spins: both sides leave it as close together as they can.
class meeting {
 public:
  explicit meeting(std::size_t n) : n_(n) {}
  void arrive() {
    const std::size_t turn = turn_.load();
    if (arrived_.fetch_add(1) + 1 == n_) {
      arrived_.store(0);
      turn_.store(turn + 1);
      return;
    }
    for (int i = 0; turn_.load() == turn; ++i) i % 64 == 63 ? os_yield() : spin_hint();
  }

 private:
  const std::size_t n_;
  atomic<std::size_t> arrived_{0};
  atomic<std::size_t> turn_{0};
};

}  // namespace hop::base::test
