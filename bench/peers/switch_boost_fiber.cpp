// Boost.Fiber: two fibers that yield to each other. Its yield goes through its scheduler, so it is the peer of a scheduled
// switch (ours: variant resume adds no queue yet).
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>
#include <cstddef>
#include <cstdint>

#include "harness/harness.hpp"

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  std::uint64_t mine = 0, theirs = 0;
  bool stop = false;
  boost::fibers::fiber other([&] {
    while (!stop) {
      ++theirs;
      boost::this_fiber::yield();
    }
  });
  bench::contest contest("switch", o);
  contest.add("boost_fiber", "", [&] {
    return bench::ns_each(o, [&](std::size_t n) {
      const std::uint64_t mine_before = mine, theirs_before = theirs;
      const std::size_t trips = (n + 1) / 2;
      for (std::size_t i = 0; i < trips; ++i) {
        ++mine;
        boost::this_fiber::yield();
      }
      bench::require(mine - mine_before == trips, "yields counted on this side");
      bench::require(theirs - theirs_before == trips, "yields counted on the other side");
    });
  });
  contest.run("ns", "lower");
  stop = true;
  other.join();
}
