// oneTBB: one task_group, all tasks run from one thread.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <cstddef>

#include "harness/flat.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  bench::flat_problem flat(o);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, o.workers);
  tbb::task_arena arena(static_cast<int>(o.workers));
  bench::contest contest("flat", o);
  contest.add("tbb", "", [&] {
    return flat.speed_up(o, [&] {
      arena.execute([&] {
        tbb::task_group group;
        for (std::size_t i = 0; i < flat.tasks; ++i) group.run([&flat] { flat.task(); });
        group.wait();
      });
    });
  });
  contest.run("x", "higher");
}
