// Small programs for tools to look at: the first argument says which.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <hop/fiber/fiber.hpp>
#include <hop/fiber/overflow.hpp>

using namespace hop::fiber;

namespace {

struct ground {
  stack_pool pool{{.small_count = 64, .large_count = 8}};
  stack_cache cache{pool};
  thread_fiber here{"main"};

  void run(const char* name, hop::unique_function<void()> body) {
    auto made = fiber::create(cache, {.name = name}, std::move(body));
    if (!made) std::abort();
    (*made)->set_home(here);
    (*made)->word().enqueue_new();
    if (!(*made)->word().begin_run()) std::abort();
    resume(here, **made);
    fiber::destroy(cache, *made);
  }
};

[[gnu::noinline]] int level(int n) {
  volatile char frame[512];
  frame[0] = 1;
  return n == 0 ? 0 : level(n - 1) + frame[0];
}

void overflow() {
  install_overflow_handler();
  auto on = signal_stack::put_on();
  ground g;
  g.run("greedy", [] { std::printf("%d\n", level(1'000'000'000)); });
}

// gdb stops here.
[[gnu::noinline]] void innermost(int n) {
  asm volatile("" : : "r"(n) : "memory");
  std::printf("innermost %d\n", n);
}
[[gnu::noinline]] void middle(int n) {
  innermost(n + 1);
  asm volatile("");
}
void backtrace() {
  ground g;
  g.run("looked at", [] { middle(41); });
}

// Switches, exceptions, closures, deep and shallow stacks; no mistake in it.
void clean() {
  ground g;
  std::vector<std::string> seen;
  for (int round = 0; round < 200; ++round) {
    g.run("worker", [&] {
      try {
        std::string local(static_cast<std::size_t>(round), 'x');
        if (level(round) != round) std::abort();
        throw std::runtime_error(local);
      } catch (const std::exception& e) {
        seen.emplace_back(e.what());
      }
    });
  }
  if (seen.size() != 200 || seen[199].size() != 199) std::abort();
  std::printf("clean\n");
}

[[gnu::noinline]] void write_past(std::size_t n) {
  char small[16];
  std::memset(small, 0, n);
  asm volatile("" : : "r"(&small) : "memory");
}
void buffer_overflow() {
  ground g;
  g.run("writes past", [] { write_past(24); });
}

// Both wait for each other inside their fibers, with no order that would make it right: else one may be through, stack given
// back and all, before the other begins, and then the second comes after the first.
int shared_by_mistake = 0;
std::atomic<int> arrived{0};
void race() {
  const auto body = [] {
    ground g;
    g.run("racer", [] {
      arrived.fetch_add(1, std::memory_order_relaxed);
      while (arrived.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
      for (int i = 0; i < 1000; ++i) ++shared_by_mistake;
    });
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  std::printf("%d\n", shared_by_mistake > 0 ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  if (which == "overflow") overflow();
  if (which == "backtrace") backtrace();
  if (which == "clean") clean();
  if (which == "buffer_overflow") buffer_overflow();
  if (which == "race") race();
  return 0;
}
