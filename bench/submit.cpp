// A million empty tasks from one outside thread, until the last has run. Nobody holds on to them.
#include <cstddef>

#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>

#include "harness/countdown.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::submit_problem problem(o);
  hop::runtime rt({.workers = o.workers});
  hop::runtime::use(&rt);
  bench::contest contest("submit", o);
  contest.add("hop", "", [&] {
    return problem.ns_per_task(o, [](std::size_t n, bench::countdown& done) {
      for (std::size_t i = 0; i < n; ++i) static_cast<void>(hop::spawn([&done] { done.arrive(); }));
    });
  });
  contest.run("ns", "lower");
  hop::runtime::use(nullptr);
}
