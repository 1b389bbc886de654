// What every step with fibers stands on: stacks, and this thread as a fiber to come back to.
#pragma once

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_pool.hpp>

namespace hopsack::demo {

struct ground {
  hop::fiber::stack_pool pool;
  hop::fiber::stack_cache cache{pool};
  hop::fiber::thread_fiber here{"demo"};

  // Ready to be resumed.
  hop::result<hop::fiber::fiber*> try_make(const hop::fiber::fiber_options& o, hop::fiber::fiber_main main, void* arg) {
    auto made = hop::fiber::fiber::create(cache, o, main, arg);
    if (made) (*made)->word().enqueue_new();
    return made;
  }
  hop::fiber::fiber& make(const hop::fiber::fiber_options& o, hop::fiber::fiber_main main, void* arg) {
    auto made = try_make(o, main, arg);
    if (!made) throw std::runtime_error(refusal(made.error()));
    return **made;
  }
  void end(hop::fiber::fiber& f) { hop::fiber::fiber::destroy(cache, &f); }

  static std::string refusal(const hop::error& e) {
    return fmt::format("a fiber was refused: {}; {}", hop::base::to_string(e.code), e.what);
  }
};

// Runs `f`, which is queued, until it parks or ends. True: it parked.
inline bool run_until_parked(hop::fiber::fiber& from, hop::fiber::fiber& f) {
  if (!f.word().begin_run()) throw std::runtime_error("a queued fiber could not be run");
  hop::fiber::resume(from, f, &from);
  if (f.word().state() != hop::fiber::fiber_state::parking) return false;
  if (!f.word().commit_park()) throw std::runtime_error("a fiber was unparked by nobody");
  return true;
}

// By the fiber itself: goes to `home` and comes back when somebody has unparked and run it; where from.
inline hop::fiber::fiber* park(hop::fiber::fiber& self, hop::fiber::fiber* home) {
  return self.word().begin_park() ? static_cast<hop::fiber::fiber*>(hop::fiber::resume(self, *home)) : home;
}

}  // namespace hopsack::demo
