// A pool, a cache, and this thread as a fiber: what most tests of the room stand on.
#pragma once

#include <string_view>
#include <utility>

#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_pool.hpp>

namespace hop::fiber::test {

struct ground {
  stack_pool pool;
  stack_cache cache{pool};
  thread_fiber here{"test"};

  fiber& make(unique_function<void()> body, stack_class cls = stack_class::small, std::string_view name = "tested") {
    auto made = fiber::create(cache, {.name = name, .cls = cls}, std::move(body));
    HOP_ASSERT(made.has_value(), "the test needs a fiber");
    (*made)->set_home(here);
    return **made;
  }
  // Begins or goes on with `f` until it switches back here.
  void* go(fiber& f, void* payload = nullptr) {
    if (f.word().state() == fiber_state::created) {
      f.word().enqueue_new();
      HOP_ASSERT(f.word().begin_run(), "a new fiber runs");
    }
    return resume(here, f, payload);
  }
  void end(fiber& f) { fiber::destroy(cache, &f); }
  // Runs `body` to its end on a stack of its own.
  void run(unique_function<void()> body, stack_class cls = stack_class::small, std::string_view name = "tested") {
    fiber& f = make(std::move(body), cls, name);
    go(f);
    end(f);
  }
};

}  // namespace hop::fiber::test
