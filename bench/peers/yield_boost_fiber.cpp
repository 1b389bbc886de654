// Boost.Fiber: two fibers of one thread. Its schedulers for several threads are a choice of the program's, so it takes
// part with one worker only.
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>
#include <cstddef>

#include "harness/harness.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  if (o.workers != 1) return 0;
  bench::contest contest("yield", o);
  contest.add("boost_fiber", "", [&] {
    return bench::ns_each(o, [](std::size_t n) {
      const std::size_t each = (n + 1) / 2;
      std::size_t counts[2] = {0, 0};
      const auto yields = [each, &counts](std::size_t me) {
        for (; counts[me] < each; ++counts[me]) boost::this_fiber::yield();
      };
      boost::fibers::fiber a([&] { yields(0); });
      boost::fibers::fiber b([&] { yields(1); });
      a.join();
      b.join();
      bench::require(counts[0] == each && counts[1] == each, "yields of both sides");
    });
  });
  contest.run("ns", "lower");
}
