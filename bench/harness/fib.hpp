// The fork_join problem: fib(n), a fork in every call that is not a leaf, no cut-off. The result is a sum of ones, so
// that nothing but forks and joins costs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/harness.hpp"

namespace bench {

struct fib_problem {
  explicit fib_problem(const options& o) : n(o.count != 0 ? o.count : o.quick ? 25 : 35) {
    require(n < 48, "--count for fib is at most 47");
    std::uint64_t next = 1;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t sum = answer + next;
      answer = next;
      next = sum;
    }
    forks = static_cast<double>(next - 1);  // fib(n + 1) - 1 calls are not leaves; 14930351 for 35
  }
  // ns per fork of run(n); every answer is checked.
  template <class Run>
  [[nodiscard]] double ns_per_fork(const options& o, Run run) const {
    require(run(std::size_t{15}) == 610, "fib(15)");  // starts what is started lazily
    return 1e9 / forks * seconds_each(o, [&] { require(run(n) == answer, "fib(n)"); });
  }

  std::size_t n;
  std::uint64_t answer = 0;
  double forks = 0;
};

}  // namespace bench
