// Somebody's shared library with hopsack inside, loaded while the program runs.
#include <hop.hpp>

#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_pool.hpp>

extern "C" __attribute__((visibility("default"))) int plugin_answer() {
  namespace hf = hop::fiber;
  hf::stack_pool pool;
  hf::stack_cache cache(pool);
  hf::thread_fiber here("host");
  int answer = 0;
  auto made = hf::fiber::create(cache, {.name = "plugin"}, [&answer] { answer = 42; });
  if (!made) return -1;
  (*made)->set_home(here);
  (*made)->word().enqueue_new();
  if (!(*made)->word().begin_run()) return -2;
  hf::resume(here, **made);
  hf::fiber::destroy(cache, *made);
  return answer;
}
