// oneTBB: what can be told apart from outside. push is task_group::run, with the allocation of a task in it, by a
// thread without helpers; pop is wait, with the call of the task in it; wake is an enqueue after 10 ms of idleness.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "harness/wake_probe.hpp"

namespace {

constexpr std::size_t batch = 1000;

struct costs {
  std::vector<double> push, pop, wake;
};

void push_and_pop(const bench::options& o, costs& c) {
  using clock = std::chrono::steady_clock;
  const auto each = [](clock::duration d) { return std::chrono::duration<double, std::nano>(d).count() / batch; };
  tbb::task_arena alone(1);
  alone.execute([&] {
    std::vector<double> push, pop;
    for (std::size_t i = 0; i < (o.quick ? 50u : 2000u); ++i) {
      std::size_t ran = 0;
      tbb::task_group group;
      const auto begin = clock::now();
      for (std::size_t k = 0; k < batch; ++k) group.run([&ran] { ++ran; });
      const auto pushed = clock::now();
      group.wait();
      const auto popped = clock::now();
      bench::require(ran == batch, "every task ran once");
      push.push_back(each(pushed - begin));
      pop.push_back(each(popped - pushed));
    }
    c.push.push_back(bench::median(push));
    c.pop.push_back(bench::median(pop));
  });
}

void wake(const bench::options& o, costs& c) {
  tbb::task_arena arena(1, 0);
  bench::wake_probe probe;
  std::vector<double> us;
  for (std::size_t i = 0; i < bench::wake_probe::samples(o); ++i) {
    us.push_back(probe.once([&] { arena.enqueue([&probe] { probe.started(); }); }));
  }
  c.wake.push_back(bench::median(us));
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  costs c;
  for (std::size_t round = 0; round < o.rounds; ++round) {
    push_and_pop(o, c);
    wake(o, c);
  }
  bench::print({"micro", "tbb", "push", bench::median(c.push), "ns", "lower", o.workers, o.rounds});
  bench::print({"micro", "tbb", "pop", bench::median(c.pop), "ns", "lower", o.workers, o.rounds});
  bench::print({"micro", "tbb", "wake", bench::median(c.wake), "us", "lower", o.workers, o.rounds});
}
