#include <hop/sched/blocking.hpp>

#include <hop/sched/pool.hpp>

namespace hop::sched {

blocking_section::blocking_section() : worker_(this_worker()) {
  if (worker_ == nullptr) return;
  if (worker_->local.share_all()) worker_->tell();
  worker_->set_blocking(true);
  if (worker_->home->anything_waiting()) worker_->tell();
}

blocking_section::~blocking_section() {
  if (worker_ == nullptr) return;
  HOP_ASSERT(worker_ == this_worker(),
             "hop::blocking: its function waited for a fiber and came back on another worker");
  worker_->set_blocking(false);
  worker_->step();
}

}  // namespace hop::sched
