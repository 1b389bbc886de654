// An outside thread that takes part for the length of a call.
#pragma once

#include <hop/base/cache_line.hpp>

namespace hop::sched {

class worker;
class pool;

// On a thread without a worker: a seat in the runtime of this thread, or none if all are taken.
class guest_seat {
 public:
  HOP_EXPORT guest_seat();
  HOP_EXPORT ~guest_seat();
  guest_seat(const guest_seat&) = delete;
  guest_seat& operator=(const guest_seat&) = delete;
  [[nodiscard]] worker* worker_here() const noexcept { return worker_; }

 private:
  worker* worker_ = nullptr;
};

}  // namespace hop::sched
