// One program for many compilers and flags: a fiber that changes its thread at every park, and in one function, before and
// after it, uses what compilers like to keep: the address of a thread_local, of errno, the caught exception.
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include <hop/base/thread_word.hpp>
#include <hop/fiber/fiber.hpp>
#include <hop/fiber/thread_errno.hpp>

using namespace hop::fiber;

namespace {

struct station {
  int number = 0;
  long tid = 0;
  fiber* home = nullptr;
};

constexpr int trips = 20'000;
std::atomic<int> turn{0};  // which station may run the fiber; 2: it is over
int failures = 0;

void expect(bool ok, const char* what) {
  if (ok) return;
  if (++failures < 10) std::printf("wrong: %s\n", what);
}

station& here() { return *static_cast<station*>(hop::base::thread_word()); }

// Everything inline in one loop, so that an optimiser sees both sides of the switch.
handover travel(fiber& self, void*) {
  for (int i = 0; i < trips; ++i) {
    const int before = here().number;
    thread_errno() = 100 + before;
    double kept = 0.5 * i;
    try {
      throw i;
    } catch (int mine) {
      const std::exception_ptr live = std::current_exception();
      for (int k = 0; k < 3; ++k) {  // a loop, out of which an optimiser would lift what it takes for constant
        if (self.word().begin_park()) resume(self, *here().home, &self);
      }
      expect(mine == i, "the caught object");
      expect(std::current_exception() == live, "the live exception");
      try {
        throw;
      } catch (int again) {
        expect(again == i, "the rethrown exception");
      } catch (...) {
        expect(false, "the rethrown exception's type");
      }
    }
    expect(here().number == 1 - before, "the thread word");
    expect(here().tid == ::syscall(SYS_gettid), "the thread word's thread");
    expect(thread_errno() == 200 + here().number, "errno after");
    expect(kept == 0.5 * i, "a float");
  }
  return {here().home, nullptr};
}

void serve(station& s, fiber& f) {
  thread_fiber me("station");
  s.home = &me;
  s.tid = ::syscall(SYS_gettid);
  hop::base::set_thread_word(&s);
  for (;;) {
    int now = turn.load();
    while (now == 1 - s.number) {
      std::this_thread::yield();
      now = turn.load();
    }
    if (now == 2) return;
    if (!f.word().begin_run()) std::abort();
    errno = 200 + s.number;
    // The station has a live exception of its own while the fiber runs.
    try {
      throw "station";
    } catch (const char* own) {
      auto* parked = static_cast<fiber*>(resume(me, f));
      try {
        throw;
      } catch (const char* again) {
        expect(again == own && std::strcmp(again, "station") == 0, "the station's exception");
      } catch (...) {
        expect(false, "the station's exception's type");
      }
      if (parked == nullptr) return turn.store(2);
    }
    if (!f.word().commit_park() || !f.word().unpark()) std::abort();
    turn.store(1 - s.number);
  }
}

}  // namespace

#if defined(HOP_MATRIX_SHARED)
extern "C" __attribute__((visibility("default"))) int hop_matrix_main()
#else
int main()
#endif
{
  stack_pool pool({.small_count = 64, .large_count = 8});
  stack_cache cache(pool);
  auto made = fiber::create(cache, {.name = "traveller"}, travel);
  if (!made) return std::printf("no fiber: %s\n", made.error().what), 1;
  (*made)->word().enqueue_new();
  station a{.number = 0}, b{.number = 1};
  std::thread ta([&] { serve(a, **made); });
  std::thread tb([&] { serve(b, **made); });
  ta.join();
  tb.join();
  fiber::destroy(cache, *made);
  std::printf("%d trips, %d wrong\n", trips, failures);
  return failures == 0 ? 0 : 1;
}
