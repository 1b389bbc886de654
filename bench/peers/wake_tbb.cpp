// oneTBB: enqueue into an arena that only workers enter.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <vector>

#include "harness/wake_probe.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  // One more than the workers: oneTBB counts the thread that submits.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, o.workers + 1);
  tbb::task_arena arena(static_cast<int>(o.workers), 0);
  bench::wake_probe probe;
  bench::contest contest("wake", o);
  contest.add("tbb", "", [&] {
    std::vector<double> us;
    for (std::size_t i = 0; i < bench::wake_probe::samples(o); ++i) {
      us.push_back(probe.once([&] { arena.enqueue([&probe] { probe.started(); }); }));
    }
    return bench::median(us);
  });
  contest.run("us", "lower");
}
