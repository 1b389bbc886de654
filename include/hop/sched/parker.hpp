// Who can be parked: a fiber or a thread.
#pragma once

#include <cstdint>

#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/clock.hpp>

namespace hop::sched {

struct flow;

// What a parked flow says about itself.
struct park_reason {
  const char* what = "";  // static text: "join", "sleep", "mutex"
  const void* object = nullptr;
};

// Of a fiber it lives as long as its task, of a thread as long as the thread.
class parker {
 public:
  explicit parker(flow* f) noexcept : flow_(f) {}
  parker(const parker&) = delete;
  parker& operator=(const parker&) = delete;
  [[nodiscard]] flow* fiber() const noexcept { return flow_; }

 private:
  friend void park(const park_reason& why);
  friend void unpark(parker& p);
  friend void hand_off(parker& p);
  friend bool park_thread_until(parker& p, base::instant until);
  bool park_thread(base::instant until);
  void unpark_thread();

  flow* flow_;                           // nullptr: a thread
  base::atomic<std::uint32_t> word_{0};  // of a thread: 1 when an unpark came
};

}  // namespace hop::sched
