// The event ring: what a reader gets was written by one write(), is numbered without gaps, and nothing is called lost that is not.
#include <hop/obs/event_ring.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

// Event number n (from 0) says n + 1 in every word.
obs::event numbered(std::uint64_t n) {
  const auto v = static_cast<std::uint16_t>(n + 1);
  return {v, obs::event_kind::mark, v, v, v, v};
}

void check_batch(const obs::event_batch& b, std::uint64_t since) {
  HOP_MODEL_CHECK(since + b.lost + b.events.size() == b.next, "lost and returned events do not add up");
  std::uint64_t n = b.next - b.events.size();
  for (const obs::event& e : b.events) HOP_MODEL_CHECK(e == numbered(n++), "an event is torn or out of order");
}

// A ring of two keeps one event: with three writes a reader's slot is overwritten under its eyes.
void reads_are_whole(std::uint64_t writes, int reads) {
  obs::event_ring ring{1, 2};
  crew{}
      .add("owner",
           [&] {
             for (std::uint64_t n = 0; n < writes; ++n) ring.write(numbered(n));
           })
      .add("reader", [&] {
        std::uint64_t since = 0;
        for (int i = 0; i < reads; ++i) {
          const obs::event_batch b = ring.read(since);
          check_batch(b, since);
          since = b.next;
        }
      });
  const obs::event_batch last = ring.read();
  check_batch(last, 0);
  HOP_MODEL_CHECK(last.next == writes && last.events.size() == 1, "a ring at rest shows its last event");
}

const registration pieces[] = {
    registration{{.name = "obs_event_ring",
                  .row = "obs",
                  .claim = "O4 O5 whole events in order, none lost in silence",
                  .body = [] { reads_are_whole(3, 1); },
                  .code_mutants = {"event_ring: no release fence before the words", "event_ring: head stored relaxed",
                                   "event_ring: no acquire fence after the words", "event_ring: no second look"},
                  .weaken_in = {"event_ring.hpp"}}},
    registration{{.name = "obs_event_ring_reader_goes_on",
                  .row = "obs",
                  .claim = "O5 two reads in a row",
                  .body = [] { reads_are_whole(4, 2); }}},
};

}  // namespace
}  // namespace hop::model
