// Threads of the modelled program.
#pragma once

#include <hop/base/place.hpp>
#include <hop/base/unique_function.hpp>

#include "model/knowledge.hpp"

namespace hop::model {

using thread_id = thread_index;

thread_id start_thread(const char* name, base::unique_function<void()> body, base::place where = base::place::here());
void join_thread(thread_id t, base::place where = base::place::here());

// One turn of a spin loop: the thread goes on when something it has read since its last turn was overwritten, and then sees
// the newest value of it. That nothing changes any more is a finding, not an endless run.
void spin_hint(base::place where = base::place::here());
inline void os_yield(base::place where = base::place::here()) { spin_hint(where); }

void* thread_word();
void set_thread_word(void* p);

}  // namespace hop::model
