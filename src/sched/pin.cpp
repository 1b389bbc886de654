#include <hop/sched/pin.hpp>

#include <hop/sched/worker.hpp>

namespace hop {

pin::pin() {
  sched::worker* const w = sched::this_worker();
  if (w == nullptr || w->current == nullptr || w->current->pinned_to != nullptr) return;
  flow_ = w->current;
  flow_->pinned_to = w;
  ++w->pins;
}

pin::~pin() {
  if (flow_ == nullptr) return;
  sched::worker* const w = sched::this_worker();
  HOP_ASSERT(w != nullptr && w->current == flow_ && flow_->pinned_to == w,
             "hop::pin: destroyed by another fiber than the one that made it");
  flow_->pinned_to = nullptr;
  --w->pins;
}

}  // namespace hop
