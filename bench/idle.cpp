// What a pool costs that has worked and now has nothing to do.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <hop/sched/join.hpp>
#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>

#include "harness/idle_cpu.hpp"

namespace {

std::uint64_t leaves(std::size_t depth) {
  if (depth == 0) return 1;
  const auto [a, b] = hop::join([depth] { return leaves(depth - 1); }, [depth] { return leaves(depth - 1); });
  return a + b;
}

// Forks, tasks from outside and a fiber that waits: every part of the pool has been in use.
void warm_up(hop::runtime& rt) {
  bench::require(rt.run([] { return leaves(18); }) == std::uint64_t{1} << 18, "leaves of the warm-up");
  hop::runtime::use(&rt);
  std::vector<hop::task_handle<std::size_t>> tasks;
  for (std::size_t i = 0; i < 1000; ++i) tasks.push_back(hop::spawn([i] { return i; }));
  std::size_t sum = 0;
  for (auto& task : tasks) sum += task.join();
  hop::runtime::use(nullptr);
  bench::require(sum == 499'500, "sum of the warm-up");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  hop::runtime rt({.workers = o.workers});
  bench::contest contest("idle", o);
  contest.add("hop", "", [&] {
    warm_up(rt);
    return bench::idle_cpu_percent(o);
  });
  contest.run("%", "lower");
}
