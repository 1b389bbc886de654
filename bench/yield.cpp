// Two fibers that step back for each other. The value is the time for one yield: of all that happened divided by both
// counts.
#include <cstddef>
#include <cstdint>
#include <utility>

#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>
#include <hop/sched/this_fiber.hpp>

#include "harness/harness.hpp"

namespace {

std::size_t yields(std::size_t n) {
  std::size_t done = 0;
  for (; done < n; ++done) hop::this_fiber::yield();
  return done;
}

// Both count, n each.
std::pair<std::size_t, std::size_t> both(std::size_t n) {
  auto a = hop::spawn([n] { return yields(n); });
  auto b = hop::spawn([n] { return yields(n); });
  const std::size_t of_a = a.join();
  return {of_a, b.join()};
}

// With one worker they must alternate: each finds, after every yield, that the other has made one step.
void require_turns() {
  std::size_t steps[2] = {0, 0};
  bool in_turn = true;
  const auto side = [&](std::size_t me) {
    for (std::size_t i = 1; i <= 1000; ++i) {
      ++steps[me];
      hop::this_fiber::yield();
      const std::size_t other = steps[1 - me];
      in_turn = in_turn && other + 1 >= i && other <= i + 1;
    }
  };
  auto a = hop::spawn([&] { side(0); });
  auto b = hop::spawn([&] { side(1); });
  a.join();
  b.join();
  bench::require(in_turn, "two yielding fibers on one worker run in turn");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  hop::runtime rt({.workers = o.workers});
  if (o.workers == 1) rt.run(require_turns);
  bench::contest contest("yield", o);
  contest.add("hop", "", [&] {
    return bench::ns_each(o, [&](std::size_t n) {
      const std::size_t each = (n + 1) / 2;
      const auto [a, b] = rt.run([each] { return both(each); });
      bench::require(a == each && b == each, "yields of both sides");
    });
  });
  contest.run("ns", "lower");
}
