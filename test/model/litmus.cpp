// Litmus tests: what the checker's memory must allow, and what it must forbid.
#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/plain.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release,
    std::memory_order_seq_cst;

void store_buffering(std::memory_order store, std::memory_order load, bool fences) {
  base::atomic<int> x{0}, y{0};
  int a = -1, b = -1;
  crew{}
      .add("a",
           [&] {
             x.store(1, store);
             if (fences) base::fence_seq_cst();
             a = y.load(load);
           })
      .add("b", [&] {
        y.store(1, store);
        if (fences) base::fence_seq_cst();
        b = x.load(load);
      });
  HOP_MODEL_CHECK(a + b > 0, "both read the old value");
}

void message_passing(std::memory_order store, std::memory_order load) {
  base::plain<int> data{0};
  base::atomic<int> flag{0};
  crew{}
      .add("writer",
           [&] {
             data.set(42);
             flag.store(1, store);
           })
      .add("reader", [&] {
        if (flag.load(load) == 1) HOP_MODEL_CHECK(data.get() == 42, "the flag came before the data");
      });
}

void independent_reads(std::memory_order store, std::memory_order load) {
  base::atomic<int> x{0}, y{0};
  int a = 0, b = 0, c = 0, d = 0;
  crew{}
      .add("wx", [&] { x.store(1, store); })
      .add("wy", [&] { y.store(1, store); })
      .add("rxy",
           [&] {
             a = x.load(load);
             b = y.load(load);
           })
      .add("ryx", [&] {
        c = y.load(load);
        d = x.load(load);
      });
  HOP_MODEL_CHECK(!(a == 1 && b == 0 && c == 1 && d == 0), "two readers saw the two writes in different orders");
}

void coherence() {
  base::atomic<int> x{0};
  crew{}
      .add("writer",
           [&] {
             x.store(1, memory_order_relaxed);
             x.store(2, memory_order_relaxed);
           })
      .add("reader", [&] {
        const int a = x.load(memory_order_relaxed), b = x.load(memory_order_relaxed);
        HOP_MODEL_CHECK(a <= b, "one location went backwards");
      });
}

// The read-modify-write in the middle continues the release sequence.
void release_sequence(std::memory_order middle) {
  base::plain<int> data{0};
  base::atomic<int> flag{0};
  crew{}
      .add("writer",
           [&] {
             data.set(1);
             flag.store(1, memory_order_release);
           })
      .add("middle",
           [&] {
             int one = 1;
             flag.compare_exchange_strong(one, 2, middle, memory_order_relaxed);
           })
      .add("reader", [&] {
        if (flag.load(memory_order_acquire) == 2) HOP_MODEL_CHECK(data.get() == 1, "lost the sequence");
      });
}

// A relaxed store after a release fence publishes; a relaxed load before an acquire fence receives.
void fences_publish(bool release_fence, bool acquire_fence) {
  base::plain<int> data{0};
  base::atomic<int> flag{0};
  crew{}
      .add("writer",
           [&] {
             data.set(1);
             if (release_fence) base::fence_release();
             flag.store(1, memory_order_relaxed);
           })
      .add("reader", [&] {
        if (flag.load(memory_order_relaxed) != 1) return;
        if (acquire_fence) base::fence_acquire();
        HOP_MODEL_CHECK(data.get() == 1, "stale data");
      });
}

const char* both_old = "both read the old value";

const registration pieces[] = {
    registration{{.name = "litmus_sb_relaxed",
                  .claim = "relaxed stores sit in a buffer",
                  .body = [] { store_buffering(memory_order_relaxed, memory_order_relaxed, false); },
                  .must_find = both_old}},
    registration{{.name = "litmus_sb_acquire_release",
                  .claim = "acquire and release do not empty it",
                  .body = [] { store_buffering(memory_order_release, memory_order_acquire, false); },
                  .must_find = both_old}},
    registration{{.name = "litmus_sb_seq_cst",
                  .claim = "seq_cst accesses forbid both old",
                  .body = [] { store_buffering(memory_order_seq_cst, memory_order_seq_cst, false); }}},
    registration{{.name = "litmus_sb_fences",
                  .claim = "seq_cst fences forbid both old",
                  .body = [] { store_buffering(memory_order_relaxed, memory_order_relaxed, true); }}},
    registration{{.name = "litmus_mp_relaxed",
                  .claim = "a relaxed flag publishes nothing",
                  .body = [] { message_passing(memory_order_relaxed, memory_order_relaxed); },
                  .must_find = "race"}},
    registration{{.name = "litmus_mp_half",
                  .claim = "a relaxed load receives nothing",
                  .body = [] { message_passing(memory_order_release, memory_order_relaxed); },
                  .must_find = "race"}},
    registration{{.name = "litmus_mp",
                  .claim = "release and acquire publish",
                  .body = [] { message_passing(memory_order_release, memory_order_acquire); }}},
    registration{{.name = "litmus_iriw_acquire",
                  .claim = "two readers may disagree under acquire",
                  .body = [] { independent_reads(memory_order_release, memory_order_acquire); },
                  .must_find = "different orders"}},
    registration{{.name = "litmus_iriw_seq_cst",
                  .claim = "seq_cst readers agree",
                  .body = [] { independent_reads(memory_order_seq_cst, memory_order_seq_cst); }}},
    registration{{.name = "litmus_coherence", .claim = "one location never goes backwards", .body = coherence}},
    registration{{.name = "litmus_release_sequence",
                  .claim = "a relaxed rmw continues the sequence",
                  .body = [] { release_sequence(memory_order_relaxed); }}},
    registration{{.name = "litmus_fences",
                  .claim = "fences publish relaxed accesses",
                  .body = [] { fences_publish(true, true); }}},
    registration{{.name = "litmus_fences_no_release",
                  .claim = "without the release fence it is a race",
                  .body = [] { fences_publish(false, true); },
                  .must_find = "race"}},
    registration{{.name = "litmus_fences_no_acquire",
                  .claim = "without the acquire fence it is a race",
                  .body = [] { fences_publish(true, false); },
                  .must_find = "race"}},
};

}  // namespace
}  // namespace hop::model
