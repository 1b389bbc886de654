// oneTBB: forks and enqueued tasks, then nothing.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <cstdint>

#include "harness/countdown.hpp"
#include "harness/idle_cpu.hpp"

namespace {

std::uint64_t leaves(std::size_t depth) {
  if (depth == 0) return 1;
  std::uint64_t a = 0, b = 0;
  tbb::parallel_invoke([&, depth] { a = leaves(depth - 1); }, [&, depth] { b = leaves(depth - 1); });
  return a + b;
}

void warm_up(tbb::task_arena& arena) {
  const std::uint64_t found = arena.execute([] { return leaves(18); });
  bench::require(found == std::uint64_t{1} << 18, "leaves of the warm-up");
  bench::countdown done(1000);
  for (std::size_t i = 0; i < 1000; ++i) arena.enqueue([&done] { done.arrive(); });
  done.wait();
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  // One more than the workers: oneTBB counts the thread that waits.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, o.workers + 1);
  tbb::task_arena arena(static_cast<int>(o.workers), 0);
  bench::contest contest("idle", o);
  contest.add("tbb", "", [&] {
    warm_up(arena);
    return bench::idle_cpu_percent(o);
  });
  contest.run("%", "lower");
}
