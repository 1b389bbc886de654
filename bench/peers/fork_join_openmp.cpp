// OpenMP: a task for one side, the other in place, taskwait.
#include <cstddef>
#include <cstdint>

#include "harness/fib.hpp"

namespace {

std::uint64_t tasked(std::size_t n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
#pragma omp task shared(a) firstprivate(n)
  a = tasked(n - 1);
  const std::uint64_t b = tasked(n - 2);
#pragma omp taskwait
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::fib_problem fib(o);
  bench::contest contest("fork_join", o);
  contest.add("openmp", "", [&] {
    return fib.ns_per_fork(o, [&](std::size_t n) {
      std::uint64_t answer = 0;
#pragma omp parallel num_threads(static_cast <int>(o.workers))
#pragma omp single
      answer = tasked(n);
      return answer;
    });
  });
  contest.run("ns/fork", "lower");
}
