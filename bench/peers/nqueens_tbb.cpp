// oneTBB: parallel_invoke for each fork.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <cstdint>

#include "harness/nqueens.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::queens_problem problem(o);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, o.workers);
  tbb::task_arena arena(static_cast<int>(o.workers));
  bench::contest contest("nqueens", o);
  contest.add("tbb", "", [&] {
    return problem.ms(o, [&](std::size_t n) {
      return arena.execute([n] {
        return bench::count_queens(bench::queens(n), [](auto&& a, auto&& b) {
          std::uint64_t x = 0, y = 0;
          tbb::parallel_invoke([&] { x = a(); }, [&] { y = b(); });
          return x + y;
        });
      });
    });
  });
  contest.run("ms", "lower");
}
