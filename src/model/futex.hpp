// The kernel's wait queue in the model.
#pragma once

#include <cstdint>

#include "model/atomic.hpp"

namespace hop::model {

enum class futex_outcome : std::uint8_t {
  woken,
  changed,
  timed_out
};

// `timed`: the wait may end by itself at any moment.
futex_outcome futex_wait_word(location_id x, word expected, bool timed, const base::place& where);
int futex_wake_word(location_id x, int count, const base::place& where);

inline futex_outcome futex_wait(atomic<std::uint32_t>& w, std::uint32_t expected, bool timed,
                                const base::place& where) {
  return futex_wait_word(w.id(), expected, timed, where);
}
inline int futex_wake(atomic<std::uint32_t>& w, int count, const base::place& where) {
  return futex_wake_word(w.id(), count, where);
}

}  // namespace hop::model
