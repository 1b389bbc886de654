// The checker's own mutex: one choice point to lock, one to unlock.
#pragma once

#include <hop/base/annotations.hpp>
#include <hop/base/place.hpp>

#include "model/knowledge.hpp"

namespace hop::model {

class HOP_CAPABILITY("mutex") mutex {
 public:
  mutex();
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  void lock(base::place where = base::place::here()) HOP_ACQUIRE();
  [[nodiscard]] bool try_lock(base::place where = base::place::here()) HOP_TRY_ACQUIRE(true);
  void unlock(base::place where = base::place::here()) HOP_RELEASE();

 private:
  location_id id_;
};

}  // namespace hop::model
