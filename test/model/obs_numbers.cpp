// Counters and histograms: one writer, any reader, no read-modify-write.
#include <hop/obs/counter.hpp>
#include <hop/obs/histogram_recorder.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

void counters_never_fall() {
  obs::counter_set set{2};
  const auto count = [&](std::size_t worker) {
    set.block(worker).add(obs::counter::parks);
    set.block(worker).add(obs::counter::parks, 2);
  };
  crew{}.add("worker", [&] { count(0); }).add("worker2", [&] { count(1); }).add("reader", [&] {
    const std::uint64_t a = set.total(obs::counter::parks), b = set.total(obs::counter::parks);
    HOP_MODEL_CHECK(a <= b && b <= 6, "a total fell or was never true");
  });
  HOP_MODEL_CHECK(set.total(obs::counter::parks) == 6, "at rest a total is exact");
}

// A reading's min, max and sum cover every value it counts.
void readings_cover_what_they_count() {
  constexpr std::uint64_t values[] = {5, 3, 9};
  obs::histogram_recorder recorder;
  crew{}
      .add("worker",
           [&] {
             for (std::uint64_t v : values) recorder.record(v);
           })
      .add("reader", [&] {
        const obs::histogram h = recorder.read();
        std::uint64_t sum = 0;
        for (std::uint64_t v : values) {
          if (h.in_bucket(v) == 0) continue;
          sum += v;
          HOP_MODEL_CHECK(h.min() <= v && v <= h.max(), "min or max does not cover a counted value");
        }
        HOP_MODEL_CHECK(h.sum() >= sum, "the sum lacks a counted value");
      });
}

const registration pieces[] = {
    registration{{.name = "obs_counter", .row = "obs", .claim = "O1 totals never fall", .body = counters_never_fall}},
    registration{{.name = "obs_histogram",
                  .row = "obs",
                  .claim = "O3 a reading covers what it counts",
                  .body = readings_cover_what_they_count,
                  .how = {.how = strategy::bounded, .preemptions = 1},
                  .weaken_in = {"histogram_recorder.hpp"}}},
    registration{{.name = "obs_histogram_sampled",
                  .row = "obs",
                  .claim = "O3 in the midst of a record, sampled",
                  .body = readings_cover_what_they_count,
                  .how = {.how = strategy::random, .runs = 3'000}}},
};

}  // namespace
}  // namespace hop::model
