#include "model/asymmetric_fence.hpp"

#include <atomic>

#include "model/engine.hpp"
#include "model/source_line.hpp"

namespace hop::model {

// The kernel interrupts every running thread with a full barrier before the call returns; one that does not run has passed one
// when it was put aside. So: as if each thread had a seq_cst fence just where it stands, between two of the caller's.
void fence_heavy(base::place where) {
  engine* const e = engine::current();
  if (e == nullptr) fail("a modelled operation outside a run", where);
  e->step({op_kind::heavy_fence, std::memory_order_seq_cst, 0, where});
  e->mem().fence(e->self().view, std::memory_order_seq_cst);
  for (thread_index i = 0; i < e->thread_count(); ++i) e->mem().fence(e->thread(i).view, std::memory_order_seq_cst);
  e->mem().fence(e->self().view, std::memory_order_seq_cst);
  e->note("heavy fence                " + source_line(where));
}

}  // namespace hop::model
