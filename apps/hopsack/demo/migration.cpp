// Two fibers and two threads. In every round each fiber is resumed by the thread that did not run it before, while it stands
// in a catch block. The C++ library keeps caught exceptions by thread; here they belong to the fiber.
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <cstdint>
#include <exception>
#include <thread>

#include "ground.hpp"
#include "step.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

namespace hf = hop::fiber;

struct traveller {
  int number = 0;
  std::size_t wanted = 0;
  hf::fiber* self = nullptr;
  std::size_t hops = 0;
  std::size_t stayed = 0;     // resumed on the thread it came from
  std::size_t exchanged = 0;  // the live exception was not its own
};

long thread_id() { return ::syscall(SYS_gettid); }  // asked anew every time: nothing the compiler could keep

hf::handover travel(hf::fiber& self, void* came_from) {
  auto& t = *static_cast<traveller*>(self.arg());
  auto* home = static_cast<hf::fiber*>(came_from);
  try {
    throw t.number;
  } catch (int) {
    const std::exception_ptr mine = std::current_exception();
    while (t.hops < t.wanted) {
      const long before = thread_id();
      home = park(self, home);
      ++t.hops;
      t.stayed += thread_id() == before ? 1U : 0U;
      t.exchanged += std::current_exception() != mine ? 1U : 0U;
    }
    try {
      throw;
    } catch (int again) {
      t.exchanged += again != t.number ? 1U : 0U;
    }
  }
  return {home, nullptr};
}

// What thread `number` does in one round; the two threads have different fibers in hand.
void carry(hf::fiber& me, std::array<traveller, 2>& both, std::size_t number, std::size_t round) {
  hf::fiber& f = *both[(number + round) % 2].self;
  if (run_until_parked(me, f) && !f.word().unpark()) std::terminate();
}

}  // namespace

outcome migrate(stage& s) {
  ground g;
  const std::size_t hops = s.count(20'000, 2'000);
  std::array<traveller, 2> both{traveller{1, hops}, traveller{2, hops}};
  for (traveller& t : both) t.self = &g.make({.name = "traveller"}, travel, &t);
  hop::obs::counter_set& counters = s.notes().counters;
  std::barrier round_over(2);
  std::thread other([&] {
    hf::thread_fiber me("other thread");
    for (std::size_t round = 0; round <= hops; ++round) {
      carry(me, both, 1, round);
      counters.block(1).add(hop::obs::counter::migrations, round != 0 ? 1 : 0);
      round_over.arrive_and_wait();
    }
  });
  for (std::size_t round = 0; round <= hops; ++round) {
    s.progress(2 * round, 2 * hops, "moves");
    carry(g.here, both, 0, round);
    counters.block(0).add(hop::obs::counter::migrations, round != 0 ? 1 : 0);
    round_over.arrive_and_wait();
  }
  other.join();
  bool right = true;
  for (traveller& t : both) {
    right = right && t.hops == hops && t.stayed == 0 && t.exchanged == 0;
    g.end(*t.self);
  }
  counters.block(0).add(hop::obs::counter::exceptions_carried, 2 * hops);
  return {right,
          grouped(2 * hops) + " moves",
          {fmt::format(
              "Two fibers changed threads {} times each, an exception in hand: {} stayed where they were, {} saw the "
              "exception of the other.",
              grouped(hops), both[0].stayed + both[1].stayed, both[0].exchanged + both[1].exchanged)}};
}

}  // namespace hopsack::demo
