// One switch between two stacks. Everyone runs the same two loops: here `++mine, go there`, there `++theirs, go back`.
#include <ucontext.h>

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <hop/fiber/context.hpp>
#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_pool.hpp>

#include "harness/harness.hpp"

namespace {

namespace hf = hop::fiber;
namespace bc = boost::context;

struct counts {
  std::uint64_t mine = 0;
  std::uint64_t theirs = 0;
};

// body(turns) makes `turns` round trips of two switches; both sides must have counted all of them.
template <class Turns>
double per_switch(const bench::options& o, counts& c, Turns turns) {
  return bench::ns_each(o, [&](std::size_t n) {
    const counts before = c;
    const std::size_t trips = (n + 1) / 2;
    turns(trips);
    bench::require(c.mine - before.mine == trips, "switches counted on this side");
    bench::require(c.theirs - before.theirs == trips, "switches counted on the other side");
  });
}

// hop: the raw switch.
struct raw_pair {
  hf::context here, there;
  counts c;
};

[[noreturn]] void raw_other(void* payload, hf::context&) noexcept {
  auto& p = *static_cast<raw_pair*>(payload);
  for (;;) {
    ++p.c.theirs;
    hf::switch_context(p.there, p.here, &p);
  }
}

double hop_raw(const bench::options& o, hf::stack_cache& cache) {
  const auto stack = cache.acquire(hf::stack_class::small);
  bench::require(stack.has_value(), "a stack was refused");
  raw_pair p;
  hf::make_context(p.there, stack->high(), stack->usable_low(), raw_other);
  const double ns = per_switch(o, p.c, [&p](std::size_t trips) {
    for (std::size_t i = 0; i < trips; ++i) {
      ++p.c.mine;
      hf::switch_context(p.here, p.there, &p);
    }
  });
  cache.release(*stack);
  return ns;
}

// hop, variant resume: what a scheduler uses. Exception state and hooks travel with the fiber.
struct resume_pair {
  hf::thread_fiber here{"bench"};
  hf::fiber* there = nullptr;
  hf::eh_globals* of_thread = hf::thread_eh_globals();
  bool stop = false;
  counts c;
};

hf::handover resume_other(hf::fiber& self, void*) {
  auto& p = *static_cast<resume_pair*>(self.arg());
  while (!p.stop) {
    ++p.c.theirs;
    hf::resume(self, p.here, nullptr, *p.of_thread);
  }
  return {&p.here, nullptr};
}

double hop_resume(const bench::options& o, hf::stack_cache& cache) {
  resume_pair p;
  const auto made = hf::fiber::create(cache, {.name = "other"}, resume_other, &p);
  bench::require(made.has_value(), "a fiber was refused");
  p.there = *made;
  p.there->word().enqueue_new();
  bench::require(p.there->word().begin_run(), "a new fiber can be run");
  const double ns = per_switch(o, p.c, [&p](std::size_t trips) {
    for (std::size_t i = 0; i < trips; ++i) {
      ++p.c.mine;
      hf::resume(p.here, *p.there, nullptr, *p.of_thread);
    }
  });
  p.stop = true;
  hf::resume(p.here, *p.there, nullptr, *p.of_thread);
  hf::fiber::destroy(cache, p.there);
  return ns;
}

// Boost.Context: the bare jump.
[[noreturn]] void fcontext_other(bc::detail::transfer_t t) {
  auto& c = *static_cast<counts*>(t.data);
  for (;;) {
    ++c.theirs;
    t = bc::detail::jump_fcontext(t.fctx, t.data);
  }
}

double boost_fcontext(const bench::options& o, hf::stack_cache& cache) {
  const auto stack = cache.acquire(hf::stack_class::small);
  bench::require(stack.has_value(), "a stack was refused");
  counts c;
  bc::detail::fcontext_t there = bc::detail::make_fcontext(
      stack->high(), static_cast<std::size_t>(stack->high() - stack->usable_low()), fcontext_other);
  const double ns = per_switch(o, c, [&](std::size_t trips) {
    for (std::size_t i = 0; i < trips; ++i) {
      ++c.mine;
      there = bc::detail::jump_fcontext(there, &c).fctx;
    }
  });
  cache.release(*stack);
  return ns;
}

// Boost.Context, variant fiber: its public class.
double boost_fiber_class(const bench::options& o) {
  counts c;
  bool stop = false;
  bc::fiber there([&](bc::fiber&& back) {
    bc::fiber here = std::move(back);
    while (!stop) {
      ++c.theirs;
      here = std::move(here).resume();
    }
    return here;
  });
  const double ns = per_switch(o, c, [&](std::size_t trips) {
    for (std::size_t i = 0; i < trips; ++i) {
      ++c.mine;
      there = std::move(there).resume();
    }
  });
  stop = true;
  there = std::move(there).resume();
  return ns;
}

// swapcontext: saves the signal mask too, by a system call.
struct ucontext_pair {
  ucontext_t here{}, there{};
  counts c;
};
ucontext_pair* ucontext_now = nullptr;  // makecontext passes ints only

void ucontext_other() {
  ucontext_pair& p = *ucontext_now;
  for (;;) {
    ++p.c.theirs;
    ::swapcontext(&p.there, &p.here);
  }
}

double swap_ucontext(const bench::options& o) {
  constexpr std::size_t bytes = 64 * 1024;
  const auto memory = std::make_unique<std::byte[]>(bytes);
  ucontext_pair p;
  ucontext_now = &p;
  bench::require(::getcontext(&p.there) == 0, "getcontext");
  p.there.uc_stack.ss_sp = memory.get();
  p.there.uc_stack.ss_size = bytes;
  p.there.uc_link = nullptr;
  ::makecontext(&p.there, ucontext_other, 0);
  return per_switch(o, p.c, [&p](std::size_t trips) {
    for (std::size_t i = 0; i < trips; ++i) {
      ++p.c.mine;
      ::swapcontext(&p.here, &p.there);
    }
  });
}

// A call that is not inlined: what "no switch at all" costs. There and back are one call, hence halved by per_switch.
__attribute__((noinline)) void called(counts& c) {
  ++c.theirs;
  bench::clobber();
}

double plain_call(const bench::options& o) {
  counts c;
  return per_switch(o, c, [&c](std::size_t trips) {
    for (std::size_t i = 0; i < trips; ++i) {
      ++c.mine;
      called(c);
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  hf::stack_pool pool;
  hf::stack_cache cache(pool);
  bench::contest contest("switch", o);
  contest.add("hop", "", [&] { return hop_raw(o, cache); });
  contest.add("hop", "resume", [&] { return hop_resume(o, cache); });
  contest.add("boost_context", "", [&] { return boost_fcontext(o, cache); });
  contest.add("boost_context", "fiber", [&] { return boost_fiber_class(o); });
  contest.add("swapcontext", "", [&] { return swap_ucontext(o); });
  contest.add("plain_call", "", [&] { return plain_call(o); });
  contest.run("ns", "lower");
}
