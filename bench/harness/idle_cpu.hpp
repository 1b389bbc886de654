// What a process costs that has nothing to do.
#pragma once

#include <chrono>
#include <ctime>
#include <thread>

#include "harness/harness.hpp"

namespace bench {

// Percent of one core that the whole process uses over two seconds (a quarter when quick), from 200 ms after now.
[[nodiscard]] inline double idle_cpu_percent(const options& o) {
  using namespace std::chrono_literals;
  const auto used = [] {
    timespec t{};
    require(::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0, "clock_gettime");
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  std::this_thread::sleep_for(200ms);
  const double before = used();
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(o.quick ? 250ms : 2000ms);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return 100 * (used() - before) / seconds;
}

}  // namespace bench
