// What somebody's program may look like: a fiber on a stack of its own, an error as a value, a line caught by a sink, the
// version. Every consumer project builds this file; test/e2e/packaging.py reads what it prints.
#include <hop.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_pool.hpp>

namespace {

void keep(void* context, const hop::log_line& line) noexcept {
  static_cast<std::string*>(context)->append(line.room).append(": ").append(line.text);
}

hop::result<int> half_of(int n) {
  if (n % 2 != 0) return hop::error{hop::errc::invalid, 0, "only even numbers have a half here"};
  return n / 2;
}

// Runs `body` to its end on a stack of its own, in two parts: it goes away once in the middle.
bool run_on_a_stack(hop::unique_function<void()> first, hop::unique_function<void()> second) {
  namespace hf = hop::fiber;
  hf::stack_pool pool;
  hf::stack_cache cache(pool);
  hf::thread_fiber here("main");
  hf::fiber* self = nullptr;
  auto made = hf::fiber::create(cache, {.name = "guest"}, [&] {
    first();
    hf::resume(*self, here);
    second();
  });
  if (!made) return false;
  self = *made;
  self->set_home(here);
  self->word().enqueue_new();
  if (!self->word().begin_run()) return false;
  hf::resume(here, *self);
  std::printf("back in main\n");
  hf::resume(here, *self);
  hf::fiber::destroy(cache, self);
  return true;
}

}  // namespace

int main() {
  std::printf("hopsack %s (%d)\n", HOP_VERSION_STRING, HOP_VERSION_NUMBER);
  std::string caught;
  hop::set_log_level(hop::log_level::info);
  hop::set_log_sink(keep, &caught);
  auto moved = std::make_unique<int>(42);  // a closure that can only be moved
  const bool ran = run_on_a_stack([n = std::move(moved)] { std::printf("on a stack of its own: %d\n", *n); },
                                  [] { hop::obs::log(hop::log_level::info, "guest", "a line from a fiber"); });
  hop::set_log_sink(nullptr);
  std::printf("caught %s\n", caught.c_str());
  std::printf("half of 7: %s\n", hop::base::to_string(half_of(7).code()));
  const hop::instant begin = hop::base::clock::now();
  const bool forwards = hop::base::clock::now() >= begin;
  return ran && forwards && half_of(8).value() == 4 ? 0 : 1;
}
