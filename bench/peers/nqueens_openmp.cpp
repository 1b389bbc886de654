// OpenMP: at each fork a task for one side, the other in place, taskwait.
#include <cstddef>
#include <cstdint>

#include "harness/nqueens.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::queens_problem problem(o);
  const auto fork = [](auto&& a, auto&& b) {
    std::uint64_t x = 0;
#pragma omp task shared(a, x)
    x = a();
    const std::uint64_t y = b();
#pragma omp taskwait
    return x + y;
  };
  bench::contest contest("nqueens", o);
  contest.add("openmp", "", [&] {
    return problem.ms(o, [&](std::size_t n) {
      std::uint64_t answer = 0;
#pragma omp parallel num_threads(static_cast <int>(o.workers))
#pragma omp single
      answer = bench::count_queens(bench::queens(n), fork);
      return answer;
    });
  });
  contest.run("ms", "lower");
}
