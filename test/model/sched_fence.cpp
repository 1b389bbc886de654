// The fence with its cost on one side, as Dekker's handshake: with both halves at most one enters; without either, both may.
#include <hop/base/asymmetric_fence.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/plain.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using std::memory_order_relaxed;

void handshake(bool heavy) {
  base::atomic<int> wants_a{0}, wants_b{0};
  base::plain<int> inside{0};
  crew{}
      .add("cheap",
           [&] {
             wants_a.store(1, memory_order_relaxed);
             base::fence_light();
             if (wants_b.load(memory_order_relaxed) == 0) inside.set(inside.get() + 1);
           })
      .add("dear", [&] {
        wants_b.store(1, memory_order_relaxed);
        if (heavy) base::fence_heavy();
        if (wants_a.load(memory_order_relaxed) == 0) inside.set(inside.get() + 1);
      });
}

const registration pieces[] = {
    registration{{.name = "asymmetric_fence",
                  .row = "base",
                  .claim = "a heavy fence on one side is enough for both",
                  .body = [] { handshake(true); }}},
    registration{{.name = "asymmetric_fence_none",
                  .row = "base",
                  .claim = "without it both enter",
                  .body = [] { handshake(false); },
                  .must_find = "race"}},
};

}  // namespace
}  // namespace hop::model
