// fib(35), a fork in every call: what a fork and its join cost when there is nothing else to pay for.
#include <cstddef>
#include <cstdint>

#include <hop/sched/join.hpp>
#include <hop/sched/runtime.hpp>

#include "harness/fib.hpp"

namespace {

std::uint64_t forked(std::size_t n) {
  if (n < 2) return n;
  const auto [a, b] = hop::join([n] { return forked(n - 1); }, [n] { return forked(n - 2); });
  return a + b;
}

// The same recursion without forks: two calls where the other has a join. Kept from becoming a loop, which would be
// another program.
__attribute__((noinline)) std::uint64_t called(std::size_t n) {
  if (n < 2) return n;
  const std::uint64_t a = called(n - 1);
  bench::do_not_optimize(a);
  const std::uint64_t b = called(n - 2);
  bench::do_not_optimize(b);
  return a + b;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const bench::fib_problem fib(o);
  hop::runtime rt({.workers = o.workers});
  bench::contest contest("fork_join", o);
  contest.add("hop", "",
              [&] { return fib.ns_per_fork(o, [&](std::size_t n) { return rt.run([n] { return forked(n); }); }); });
  contest.add("plain_call", "", [&] { return fib.ns_per_fork(o, called); });  // one thread, whatever --workers says
  contest.run("ns/fork", "lower");
}
