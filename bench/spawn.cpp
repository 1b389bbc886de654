// A fiber spawns a thousand tasks, then joins them in the order of their birth; again and again. Each gives a number,
// and the sum must be right. The value is the time for one task, from its spawn to the end of its join.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>

#include "harness/harness.hpp"

namespace {

constexpr std::size_t batch = 1000;

std::uint64_t batches(std::size_t count) {
  std::vector<hop::task_handle<std::uint64_t>> handles(batch);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t k = 0; k < batch; ++k) handles[k] = hop::spawn([k] { return k; });
    for (auto& handle : handles) sum += std::exchange(handle, {}).join();
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  hop::runtime rt({.workers = o.workers});
  bench::contest contest("spawn", o);
  contest.add("hop", "", [&] {
    return bench::ns_each(o,
                          [&](std::size_t n) {
                            const std::uint64_t sum = rt.run([n] { return batches(n); });
                            bench::require(sum == n * (batch * (batch - 1) / 2), "sum of what the tasks gave");
                          }) /
           double{batch};
  });
  contest.run("ns", "lower");
}
