// What fibers cost while they wait, and how their memory comes back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ground.hpp"
#include "process_memory.hpp"
#include "step.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

namespace hf = hop::fiber;

struct crowd {
  std::size_t entered = 0;
  std::size_t left = 0;
};

hf::handover wait_once(hf::fiber& self, void* came_from) {
  auto& c = *static_cast<crowd*>(self.arg());
  ++c.entered;
  hf::fiber* home = park(self, static_cast<hf::fiber*>(came_from));
  ++c.left;
  return {home, nullptr};
}

// As many as the step wants, less where they would take more than half of what the machine has left.
std::size_t affordable(std::size_t wanted) {
  const double left = proc_bytes("/proc/meminfo", "MemAvailable") / 2 / 4500;
  return left > 0 ? std::min(wanted, static_cast<std::size_t>(left)) : wanted;
}

// Parks up to `wanted` fibers; empty, or why there are fewer.
std::string park_crowd(stage& s, ground& g, crowd& c, std::vector<hf::fiber*>& fibers, std::size_t wanted) {
  while (fibers.size() < wanted) {
    const auto made = g.try_make({.name = "waiter"}, wait_once, &c);
    if (!made) return ground::refusal(made.error());
    fibers.push_back(*made);
    run_until_parked(g.here, **made);
    if (fibers.size() % 512 == 0) s.progress(fibers.size(), wanted, "fibers parked");
  }
  return {};
}

// Wakes and ends them all.
void wake_crowd(stage& s, ground& g, const std::vector<hf::fiber*>& fibers) {
  for (std::size_t i = 0; i < fibers.size(); ++i) {
    if (fibers[i]->word().unpark()) run_until_parked(g.here, *fibers[i]);
    g.end(*fibers[i]);
    if (i % 512 == 0) s.progress(i, fibers.size(), "fibers woken");
  }
}

[[gnu::noinline]] void touch(std::size_t bytes) {
  volatile auto* block = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 1024) block[i] = 1;
}

constexpr std::size_t deep_bytes = 128 * 1024;

hf::handover go_deep(hf::fiber& self, void* came_from) {
  touch(deep_bytes);
  hf::fiber* home = park(self, static_cast<hf::fiber*>(came_from));
  return {home, nullptr};
}

}  // namespace

outcome park_fibers(stage& s) {
  ground g;
  crowd c;
  const std::size_t wanted = affordable(s.count(100'000, 20'000));
  std::vector<hf::fiber*> fibers(wanted);  // touched before the first look
  fibers.clear();
  const process_memory before;
  const std::string refused = park_crowd(s, g, c, fibers, wanted);
  const process_memory parked;
  const std::size_t inside = c.entered - c.left;
  wake_crowd(s, g, fibers);
  s.notes().counters.block(0).add(hop::obs::counter::parks, fibers.size());
  s.notes().counters.block(0).add(hop::obs::counter::unparks, fibers.size());
  const double n = static_cast<double>(std::max<std::size_t>(fibers.size(), 1));
  const double each = (parked.all() - before.all()) / n;
  const std::string figure = grouped(static_cast<std::uint64_t>(std::max(each, 0.0))) + " bytes a fiber";
  outcome out{refused.empty() && inside == wanted && c.left == wanted && each < 2.0 * hf::page_bytes, figure, {}};
  out.lines.push_back(
      fmt::format("{} fibers waited, each on a stack of {}, guarded. Memory for one: {} ({} for its pages, "
                  "{:.0f} in page tables). All {} went on when woken.",
                  grouped(inside), bytes_text(hf::default_stack_bytes), figure,
                  grouped(static_cast<std::uint64_t>((parked.resident - before.resident) / n)),
                  (parked.tables - before.tables) / n, grouped(c.left)));
  if (!refused.empty()) out.lines.push_back(fmt::format("Of {} wanted: {}", grouped(wanted), refused));
  return out;
}

outcome trim_stacks(stage& s) {
  ground g;
  const std::size_t count = s.count(1'000, 250);
  std::vector<hf::fiber*> fibers(count);
  const process_memory before;
  for (hf::fiber*& f : fibers) {
    f = &g.make({.name = "deep"}, go_deep, nullptr);
    run_until_parked(g.here, *f);
  }
  wake_crowd(s, g, fibers);
  const process_memory used;
  g.cache.flush();
  const std::size_t trimmed = g.pool.trim();
  const process_memory after;
  s.notes().events.emit(hop::obs::event_kind::stacks_trimmed, trimmed,
                        static_cast<std::uint64_t>(used.all() - after.all()));
  const double spent = used.all() - before.all();
  const double kept = std::max(after.all() - before.all(), 0.0);
  const bool touched = spent >= 0.9 * static_cast<double>(count * deep_bytes);
  return {
      touched && trimmed >= count && kept < spent / 10,
      bytes_text(spent - kept) + " given back",
      {fmt::format("{} fibers went {} deep and ended: {} more than before. After a trim of {} idle stacks: {} more.",
                   grouped(count), bytes_text(deep_bytes), bytes_text(spent), grouped(trimmed), bytes_text(kept))}};
}

}  // namespace hopsack::demo
