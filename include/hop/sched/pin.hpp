// hop::pin: while it lives, this fiber stays on the thread it runs on. For what belongs to a thread: GL, JNI, a Lua state.
#pragma once

#include <hop/base/cache_line.hpp>

namespace hop {

namespace sched {
struct flow;
}

// Nests. On a thread that is no worker it does nothing: such a thread is the same after every wait. Destroyed by the fiber that
// made it. A pinned fiber waits for its own thread even when others are free.
class pin {
 public:
  HOP_EXPORT pin();
  HOP_EXPORT ~pin();
  pin(const pin&) = delete;
  pin& operator=(const pin&) = delete;

 private:
  sched::flow* flow_ = nullptr;  // the outermost one has it
};

}  // namespace hop
