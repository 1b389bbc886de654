// One thread writes events and times while another reads them; then what this tour itself wrote down.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include <fmt/format.h>

#include <hop/base/clock.hpp>

#include "step.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

namespace obs = hop::obs;

struct reading {
  std::uint64_t read = 0;
  std::uint64_t lost = 0;
  std::uint64_t torn = 0;  // events whose words do not belong together
  bool in_order = true;
};

void take(reading& r, const obs::event_batch& batch) {
  std::uint64_t number = batch.next - batch.events.size();
  for (const obs::event& e : batch.events) {
    r.torn += e.b != ~e.a ? 1U : 0U;
    r.in_order = r.in_order && e.a == number++;
  }
  r.read += batch.events.size();
  r.lost += batch.lost;
}

// A quantile errs by at most a sixteenth upwards.
bool near(std::uint64_t got, std::uint64_t wanted) { return got >= wanted && got <= wanted + wanted / 16 + 1; }

void add_tour(outcome& out, notebook& notes) {
  const obs::histogram took = notes.durations.read();
  if (took.count() != 0) {
    out.lines.push_back(fmt::format("Steps before this one: {}; they took {} in the median, {} at most.", took.count(),
                                    duration_text(static_cast<double>(took.quantile(0.5))),
                                    duration_text(static_cast<double>(took.max()))));
  }
  const obs::event_batch batch = notes.events.read();
  const auto shown = std::min<std::size_t>(batch.events.size(), 6);
  out.lines.push_back(
      fmt::format("The last {} events of the ring that ran along, with the time since the first:", shown));
  for (std::size_t i = batch.events.size() - shown; i < batch.events.size(); ++i) {
    const obs::event& e = batch.events[i];
    const obs::event_kind_info info = obs::info_of(e.kind);
    const double since = static_cast<double>(e.time_ns - batch.events.front().time_ns);
    std::string text = fmt::format("  {:>8}  {:<15}", duration_text(since), info.name);
    if (!info.a.empty()) text += fmt::format(" {} {}", info.a, grouped(e.a));
    if (!info.b.empty()) text += fmt::format(", {} {}", info.b, grouped(e.b));
    out.lines.push_back(text);
  }
  std::string counted;
  for (std::size_t i = 0; i < obs::counter_count; ++i) {
    const std::uint64_t total = notes.counters.total(static_cast<obs::counter>(i));
    if (total == 0) continue;
    counted += fmt::format("{}{} {}", counted.empty() ? "Counted: " : ", ", obs::counter_list[i].name, grouped(total));
  }
  if (!counted.empty()) out.lines.push_back(counted + ".");
}

}  // namespace

outcome record_and_read(stage& s) {
  const std::uint64_t count = s.count(2'000'000, 200'000);
  obs::event_ring ring(1, 4096);
  obs::histogram_recorder times;
  std::atomic<bool> done{false};
  double each = 0;
  std::thread writer([&] {
    const hop::instant began = hop::base::clock::now();
    for (std::uint64_t i = 0; i < count; ++i) {
      ring.write({i, obs::event_kind::mark, 1, 0, i, ~i});
      times.record(i);
    }
    each = static_cast<double>((hop::base::clock::now() - began).count()) / static_cast<double>(count);
    done.store(true);
  });
  reading r;
  for (std::uint64_t next = 0; next < count;) {
    const obs::event_batch batch = ring.read(next);
    next = batch.next;
    take(r, batch);
    s.progress(next, count, "events");
  }
  writer.join();
  const obs::histogram h = times.read();
  const std::uint64_t median = h.quantile(0.5);
  const bool right = done.load() && r.read + r.lost == count && r.read != 0 && r.torn == 0 && r.in_order &&
                     h.count() == count && near(median, (count - 1) / 2) && h.max() == count - 1;
  outcome out{right, duration_text(each) + " an event", {}};
  out.lines.push_back(
      fmt::format("{} events and times written at {} each while this thread read: {} whole, {} overwritten "
                  "before it came, {} torn. Median of 0 to {} by histogram: {} (it errs by 1/16 at most).",
                  grouped(count), duration_text(each), grouped(r.read), grouped(r.lost), r.torn, grouped(count - 1),
                  grouped(median)));
  add_tour(out, s.notes());
  return out;
}

}  // namespace hopsack::demo
