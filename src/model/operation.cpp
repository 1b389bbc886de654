#include "model/operation.hpp"

namespace hop::model {

const char* to_string(op_kind k) {
  switch (k) {
    case op_kind::start:
      return "start";
    case op_kind::load:
      return "load";
    case op_kind::store:
      return "store";
    case op_kind::rmw:
      return "rmw";
    case op_kind::cas_failure:
      return "failed cas";
    case op_kind::fence:
      return "fence";
    case op_kind::heavy_fence:
      return "heavy fence";
    case op_kind::spin:
      return "spin";
    case op_kind::lock:
      return "lock";
    case op_kind::unlock:
      return "unlock";
    case op_kind::futex_wait:
      return "futex_wait";
    case op_kind::futex_woken:
      return "futex_woken";
    case op_kind::futex_wake:
      return "futex_wake";
    case op_kind::join:
      return "join";
  }
  return "?";
}

const char* to_string(std::memory_order o) {
  switch (o) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

bool dependent(const operation& a, const operation& b) {
  // Time belongs to nobody: any step may have looked at the clock, and that nobody else can go on is what lets time pass.
  if ((a.kind == op_kind::futex_woken && a.timed) || (b.kind == op_kind::futex_woken && b.timed)) return true;
  // A heavy fence changes what every thread may read.
  if (a.kind == op_kind::heavy_fence || b.kind == op_kind::heavy_fence) return true;
  // A spin goes on when any location it has read changes; which those are is not in the operation, so every write counts.
  if (a.kind == op_kind::spin) return b.writes();
  if (b.kind == op_kind::spin) return a.writes();
  // Sequentially consistent fences order everything seq_cst; accesses among themselves only through their location. There
  // two reads do count: the later one may not return less than the earlier one did.
  const bool fence_a = a.kind == op_kind::fence && a.seq_cst();
  const bool fence_b = b.kind == op_kind::fence && b.seq_cst();
  if ((fence_a && b.seq_cst()) || (fence_b && a.seq_cst())) return true;
  if (!a.has_location() || !b.has_location() || a.location != b.location) return false;
  return a.writes() || b.writes() || (a.seq_cst() && b.seq_cst());
}

}  // namespace hop::model
