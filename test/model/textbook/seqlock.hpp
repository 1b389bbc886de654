// A seqlock over two words, after Boehm: the reader's fence stands between the data and the second look.
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>

namespace hop::model {

class seqlock {
 public:
  void write(int a, int b) {
    const std::uint32_t s = sequence_.load(std::memory_order_relaxed);
    sequence_.store(s + 1, std::memory_order_relaxed);
    base::fence_release();
    a_.store(a, std::memory_order_relaxed);
    b_.store(b, std::memory_order_relaxed);
    sequence_.store(s + 2, std::memory_order_release);
  }

  // false: a writer was at work.
  bool try_read(int& a, int& b) {
    const std::uint32_t s = sequence_.load(std::memory_order_acquire);
    a = a_.load(std::memory_order_relaxed);
    b = b_.load(std::memory_order_relaxed);
    base::fence_acquire();
    return s % 2 == 0 && sequence_.load(std::memory_order_relaxed) == s;
  }

 private:
  base::atomic<std::uint32_t> sequence_{0};
  base::atomic<int> a_{0}, b_{0};
};

}  // namespace hop::model
