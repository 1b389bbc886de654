// A visible operation: what a thread is about to do when it stands at a choice point.
#pragma once

#include <atomic>
#include <cstdint>

#include <hop/base/place.hpp>

#include "model/knowledge.hpp"

namespace hop::model {

enum class op_kind : std::uint8_t {
  start,  // first step of a thread
  load,
  store,
  rmw,          // exchange, fetch_x, compare_exchange
  cas_failure,  // the order of a compare_exchange that fails; only ever the site of a mutant
  fence,
  heavy_fence,  // membarrier: a seq_cst fence in every thread, wherever it stands
  spin,         // spin_hint: goes on when a value it read is no longer the newest, or once for no reason
  lock,
  unlock,
  futex_wait,   // compares and goes to sleep in one step
  futex_woken,  // second half of a wait: enabled by a wake, a time-out or the right to return for no reason
  futex_wake,
  join,
};

[[nodiscard]] const char* to_string(op_kind k);
[[nodiscard]] const char* to_string(std::memory_order o);

struct operation {
  op_kind kind = op_kind::start;
  std::memory_order order = std::memory_order_relaxed;
  location_id location = 0;  // of the atomic, mutex or futex word; the index of the thread for join
  base::place where{};
  bool timed = false;  // futex_woken only: may end by time, which moves the clock

  [[nodiscard]] bool writes() const {
    return kind == op_kind::store || kind == op_kind::rmw || kind == op_kind::futex_wait ||
           kind == op_kind::futex_woken || kind == op_kind::futex_wake || kind == op_kind::lock ||
           kind == op_kind::unlock;
  }
  [[nodiscard]] bool has_location() const {
    return kind != op_kind::start && kind != op_kind::fence && kind != op_kind::heavy_fence && kind != op_kind::spin &&
           kind != op_kind::join;
  }
  [[nodiscard]] bool seq_cst() const { return order == std::memory_order_seq_cst; }
};

// Whether the two, by different threads and both possible now, lead to different worlds in different orders. Sleep sets prune
// with it, so it must say true when in doubt.
[[nodiscard]] bool dependent(const operation& a, const operation& b);

}  // namespace hop::model
