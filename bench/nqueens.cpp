// Twelve queens: forks of uneven size with some work between them. harness/nqueens.hpp says where it forks.
#include <cstddef>
#include <cstdint>

#include <hop/sched/join.hpp>
#include <hop/sched/runtime.hpp>

#include "harness/nqueens.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::queens_problem problem(o);
  hop::runtime rt({.workers = o.workers});
  bench::contest contest("nqueens", o);
  contest.add("hop", "", [&] {
    return problem.ms(o, [&](std::size_t n) {
      return rt.run([n] {
        return bench::count_queens(bench::queens(n), [](auto&& a, auto&& b) {
          const auto [x, y] = hop::join(a, b);
          return x + y;
        });
      });
    });
  });
  // The same search, one side after the other. One thread, whatever --workers says.
  contest.add("serial", "", [&] {
    return problem.ms(o, [](std::size_t n) {
      return bench::count_queens(bench::queens(n), [](auto&& a, auto&& b) { return a() + b(); });
    });
  });
  contest.run("ms", "lower");
}
