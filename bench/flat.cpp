// 256 tasks that sleep for 5 ms, in the kernel, all spawned by one fiber, on 16 workers: how much faster than one after
// the other. As many threads as the peers have, and the one spare that is the least a runtime can be told. Variant
// spares: as many as a runtime has by itself. Who watches the workers sees that they are stuck in the kernel and puts
// spares in their place, so that more than 16 sleep at once.
#include <cstddef>
#include <vector>

#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>

#include "harness/flat.hpp"

namespace {

double speed_up(const bench::options& o, const hop::runtime_options& with) {
  bench::flat_problem flat(o);
  hop::runtime rt(with);
  return flat.speed_up(o, [&] {
    rt.run([&flat] {
      std::vector<hop::task_handle<void>> handles;
      handles.reserve(flat.tasks);
      for (std::size_t i = 0; i < flat.tasks; ++i) handles.push_back(hop::spawn([&flat] { flat.task(); }));
      for (auto& handle : handles) handle.join();
    });
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  bench::contest contest("flat", o);
  contest.add("hop", "", [&] { return speed_up(o, {.workers = o.workers, .spares = 1}); });
  contest.add("hop", "spares", [&] { return speed_up(o, {.workers = o.workers}); });
  contest.run("x", "higher");
}
