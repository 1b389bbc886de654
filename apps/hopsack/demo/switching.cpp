// Two stacks, one thread, back and forth.
#include <cstdint>

#include <hop/base/clock.hpp>

#include "ground.hpp"
#include "step.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

namespace hf = hop::fiber;

struct pair {
  hf::fiber* here = nullptr;
  hf::eh_globals* of_thread = hf::thread_eh_globals();  // as a worker has it at hand
  std::uint64_t here_count = 0;
  std::uint64_t there_count = 0;
  bool stop = false;
};

hf::handover other_side(hf::fiber& self, void*) {
  auto& p = *static_cast<pair*>(self.arg());
  while (!p.stop) {
    ++p.there_count;
    hf::resume(self, *p.here, nullptr, *p.of_thread);
  }
  return {p.here, nullptr};
}

}  // namespace

outcome switch_stacks(stage& s) {
  ground g;
  pair p{&g.here};
  hf::fiber& there = g.make({.name = "other side"}, other_side, &p);
  const std::size_t trips = s.count(1'000'000, 100'000);
  constexpr std::size_t chunk = 10'000;
  double best = 0;  // of all chunks: the machine may have had something else to do in the others
  if (!there.word().begin_run()) return {};
  for (std::size_t done = 0; done < trips; done += chunk) {
    s.progress(2 * done, 2 * trips, "switches");
    const hop::instant began = hop::base::clock::now();
    for (std::size_t i = 0; i < chunk; ++i) {
      ++p.here_count;
      hf::resume(g.here, there, nullptr, *p.of_thread);
    }
    const double each = static_cast<double>((hop::base::clock::now() - began).count()) / (2.0 * chunk);
    if (done == 0 || each < best) best = each;
  }
  p.stop = true;
  hf::resume(g.here, there);
  g.end(there);
  s.notes().counters.block(0).add(hop::obs::counter::switches, 2 * trips);
  const bool right = p.here_count == trips && p.there_count == trips;
  return {right,
          duration_text(best) + " a switch",
          {fmt::format("{} switches between two stacks, {} counted; {} each.", grouped(2 * trips),
                       grouped(p.here_count + p.there_count), duration_text(best)),
           "A fiber's caught exceptions travel with every switch."}};
}

}  // namespace hopsack::demo
