// oneTBB: parallel_invoke, and a task_group in every frame. What counts is the better one.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/fib.hpp"

namespace {

std::uint64_t invoked(std::size_t n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  tbb::parallel_invoke([&, n] { a = invoked(n - 1); }, [&, n] { b = invoked(n - 2); });
  return a + b;
}

std::uint64_t grouped(std::size_t n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  tbb::task_group group;
  group.run([&, n] { a = grouped(n - 1); });
  const std::uint64_t b = grouped(n - 2);
  group.wait();
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::fib_problem fib(o);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, o.workers);
  tbb::task_arena arena(static_cast<int>(o.workers));
  const auto in_arena = [&](std::uint64_t (*f)(std::size_t)) {
    return fib.ns_per_fork(o, [&](std::size_t n) { return arena.execute([&] { return f(n); }); });
  };
  bench::contest contest("fork_join", o);
  contest.add("tbb", "", [&] { return std::min(in_arena(invoked), in_arena(grouped)); });
  contest.run("ns/fork", "lower");
}
