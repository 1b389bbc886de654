// Dekker and Peterson: two threads, one critical section, no read-modify-write.
#include <hop/base/atomic.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/plain.hpp>

#include "crew.hpp"
#include "textbook/peterson_lock.hpp"

namespace hop::model {
namespace {

using std::memory_order_relaxed;

// The core of Dekker's algorithm: say that I want, then look whether the other wants. At most one may enter.
void dekker(bool fence_a, bool fence_b) {
  base::atomic<int> wants_a{0}, wants_b{0};
  base::plain<int> inside{0};
  const auto enter = [&](base::atomic<int>& mine, base::atomic<int>& other, bool fence) {
    mine.store(1, memory_order_relaxed);
    if (fence) base::fence_seq_cst();
    if (other.load(memory_order_relaxed) == 0) inside.set(inside.get() + 1);
  };
  crew{}.add("a", [&] { enter(wants_a, wants_b, fence_a); }).add("b", [&] { enter(wants_b, wants_a, fence_b); });
}

template <bool ByStore>
void peterson_excludes() {
  peterson_lock<ByStore> p;
  base::plain<int> inside{0};
  const auto visit = [&](int me) {
    p.lock(me);
    inside.set(inside.get() + 1);
    p.unlock(me);
  };
  crew{}.add("a", [&] { visit(0); }).add("b", [&] { visit(1); });
  HOP_MODEL_CHECK(inside.get() == 2, "a visit was lost");
}

const registration pieces[] = {
    registration{{.name = "dekker",
                  .row = "B10",
                  .claim = "two seq_cst fences let at most one in",
                  .body = [] { dekker(true, true); }}},
    registration{{.name = "dekker_no_fence",
                  .row = "B10",
                  .claim = "without fences both enter",
                  .body = [] { dekker(false, false); },
                  .must_find = "race"}},
    registration{{.name = "dekker_one_fence",
                  .row = "B10",
                  .claim = "one fence is not enough",
                  .body = [] { dekker(true, false); },
                  .must_find = "race"}},
    registration{{.name = "peterson",
                  .claim = "at most one is inside, and both get in",
                  .body = peterson_excludes<false>,
                  .code_mutants = {"peterson: no turn"},
                  .weaken_in = {"peterson_lock.hpp"}}},
    registration{{.name = "peterson_by_store",
                  .claim = "a stored turn lets both in",
                  .body = peterson_excludes<true>,
                  .must_find = "race"}},
};

}  // namespace
}  // namespace hop::model
