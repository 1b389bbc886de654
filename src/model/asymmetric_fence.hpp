// The fence with its cost on one side: nothing here, a full fence in every thread there.
#pragma once

#include <hop/base/place.hpp>

namespace hop::model {

inline void fence_light() {}
void fence_heavy(base::place where = base::place::here());

}  // namespace hop::model
