// Boost.Fiber: fibers of one thread, joined in the order of their birth; with stacks from a pool, as it advises for
// speed. One worker only, see yield_boost_fiber.cpp.
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>
#include <boost/fiber/pooled_fixedsize_stack.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/harness.hpp"

namespace {

constexpr std::size_t batch = 1000;

std::uint64_t batches(std::size_t count, boost::fibers::pooled_fixedsize_stack& stacks) {
  std::vector<boost::fibers::fiber> fibers(batch);
  std::vector<std::uint64_t> given(batch);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t k = 0; k < batch; ++k) {
      fibers[k] = boost::fibers::fiber(std::allocator_arg, stacks, [k, &given] { given[k] = k; });
    }
    for (std::size_t k = 0; k < batch; ++k) {
      fibers[k].join();
      sum += given[k];
      given[k] = 0;
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  if (o.workers != 1) return 0;
  boost::fibers::pooled_fixedsize_stack stacks(64 * 1024);
  bench::contest contest("spawn", o);
  contest.add("boost_fiber", "", [&] {
    return bench::ns_each(o,
                          [&](std::size_t n) {
                            bench::require(batches(n, stacks) == n * (batch * (batch - 1) / 2),
                                           "sum of what the fibers gave");
                          }) /
           double{batch};
  });
  contest.run("ns", "lower");
}
