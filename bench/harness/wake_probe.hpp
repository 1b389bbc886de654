// How long it takes from handing something to sleepers to its start. The thread that hands over has slept for 10 ms,
// and sleeps again at once: whoever is woken has the machine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "harness/harness.hpp"

namespace bench {

class wake_probe {
 public:
  static constexpr std::chrono::milliseconds idle{10};
  [[nodiscard]] static std::size_t samples(const options& o) { return o.count != 0 ? o.count : o.quick ? 15 : 150; }

  // Microseconds from the call of submit() to the call of started() by what it submitted.
  template <class Submit>
  [[nodiscard]] double once(Submit submit) {
    at_.store(0, std::memory_order_relaxed);
    std::this_thread::sleep_for(idle);
    const std::int64_t begin = now();
    submit();
    for (int look = 0; at_.load(std::memory_order_acquire) == 0; ++look) {
      require(look < 10'000, "the task was started within ten seconds");
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return static_cast<double>(at_.load(std::memory_order_relaxed) - begin) * 1e-3;
  }
  void started() { at_.store(now(), std::memory_order_release); }

 private:
  static std::int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds{1};
  }
  std::atomic<std::int64_t> at_{0};
};

}  // namespace bench
