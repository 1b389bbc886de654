// oneTBB: enqueue into an arena that only workers enter, as everyone else here submits. Variant task_group: the
// submitting thread is itself in the arena, pushes to a deque of its own and helps at the end.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <cstddef>

#include "harness/countdown.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::submit_problem problem(o);
  // One more than the workers: oneTBB counts the thread that submits.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, o.workers + 1);
  tbb::task_arena workers_only(static_cast<int>(o.workers), 0);
  tbb::task_arena with_us(static_cast<int>(o.workers) + 1);
  const auto enqueued = [&] {
    return problem.ns_per_task(o, [&](std::size_t n, bench::countdown& done) {
      for (std::size_t i = 0; i < n; ++i) workers_only.enqueue([&done] { done.arrive(); });
    });
  };
  const auto grouped = [&] {
    return problem.ns_per_task(o, [&](std::size_t n, bench::countdown& done) {
      with_us.execute([&] {
        tbb::task_group group;
        for (std::size_t i = 0; i < n; ++i) group.run([&done] { done.arrive(); });
        group.wait();
      });
    });
  };
  bench::contest contest("submit", o);
  contest.add("tbb", "", enqueued);
  contest.add("tbb", "task_group", grouped);
  contest.run("ns", "lower");
}
