// Fibers that change the OS thread at every park, with things that compilers and libraries tie to the thread.
#include <hop/fiber/fiber.hpp>

#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <hop/base/thread_word.hpp>
#include <hop/fiber/thread_errno.hpp>

#include "support/hop_test.hpp"

namespace {

using namespace hop::fiber;

struct station;

// What a thread says of itself through the one safe thread-local word.
struct station {
  int number = 0;
  long tid = 0;
  fiber* home = nullptr;
  station* next = nullptr;
  std::mutex mu;
  std::vector<fiber*> inbox;
};

station& here() { return *static_cast<station*>(hop::base::thread_word()); }

void put(station& s, fiber& f) {
  std::lock_guard hold(s.mu);
  s.inbox.push_back(&f);
}

constexpr int errno_base = 1000;

struct traveller {
  fiber* self = nullptr;
  std::size_t trips = 0;
  std::atomic<std::size_t>* total = nullptr;
  int number = 0;
  int wrong_thread = 0, wrong_errno = 0, wrong_exception = 0, stayed = 0;

  void travel() {
    const int before = here().number;
    if (self->word().begin_park()) resume(*self, *here().home, self);
    if (here().number == before) ++stayed;
    if (here().tid != ::syscall(SYS_gettid)) ++wrong_thread;
    if (thread_errno() != errno_base + here().number) ++wrong_errno;
    total->fetch_add(1, std::memory_order_relaxed);
  }
  void run() {
    for (std::size_t i = 0; i < trips;) {
      try {
        throw number;
      } catch (int mine) {
        const auto live = std::current_exception();
        for (int k = 0; k < 10 && i < trips; ++k, ++i) {
          travel();
          if (mine != number || std::current_exception() != live) ++wrong_exception;
        }
        try {
          throw;
        } catch (int again) {
          if (again != number) ++wrong_exception;
        }
      }
    }
  }
};

// Runs whatever comes to this station, and sends what parks to the next one.
void serve(station& s, std::atomic<int>& live) {
  thread_fiber me("station");
  s.home = &me;
  s.tid = ::syscall(SYS_gettid);
  hop::base::set_thread_word(&s);
  std::vector<fiber*> batch;
  while (live.load() != 0) {
    {
      std::lock_guard hold(s.mu);
      batch.swap(s.inbox);
    }
    if (batch.empty()) std::this_thread::yield();
    for (fiber* f : batch) {
      HOP_ASSERT(f->word().begin_run(), "it came from one queue");
      errno = errno_base + s.number;
      auto* parked = static_cast<fiber*>(resume(me, *f));
      if (parked == nullptr) {
        live.fetch_sub(1);
        continue;
      }
      HOP_ASSERT(parked->word().commit_park(), "nobody else unparks it");
      HOP_ASSERT(parked->word().unpark(), "it was parked");
      put(*s.next, *parked);
    }
    batch.clear();
  }
  hop::base::set_thread_word(nullptr);
}

HOP_TEST(C5, a_million_migrations_keep_errno_thread_word_and_live_exception_right) {
  const std::size_t trips = hop::test::scaled(1'000'000, 40'000);
  constexpr std::size_t crowd = 16;
  stack_pool pool;
  stack_cache cache(pool);
  std::vector<station> stations(2);
  std::atomic<int> live{static_cast<int>(crowd)};
  std::atomic<std::size_t> total{0};
  for (int i = 0; i < 2; ++i)
    stations[static_cast<std::size_t>(i)].number = i,
    stations[static_cast<std::size_t>(i)].next = &stations[static_cast<std::size_t>(1 - i)];
  std::vector<traveller> people(crowd);
  for (std::size_t i = 0; i < crowd; ++i) {
    traveller& t = people[i];
    t.number = static_cast<int>(i);
    t.trips = trips / crowd;
    t.total = &total;
    auto made = fiber::create(
        cache, {.name = "traveller"},
        [](fiber& self, void*) -> handover {
          static_cast<traveller*>(self.arg())->run();
          return {here().home, nullptr};
        },
        &t);
    ASSERT_TRUE(made.has_value());
    t.self = *made;
    t.self->word().enqueue_new();
    put(stations[i % 2], *t.self);
  }
  std::thread a([&] { serve(stations[0], live); });
  std::thread b([&] { serve(stations[1], live); });
  a.join();
  b.join();
  EXPECT_EQ(total.load(), trips);
  for (const traveller& t : people) {
    EXPECT_EQ(t.stayed, 0);
    EXPECT_EQ(t.wrong_thread, 0);
    EXPECT_EQ(t.wrong_errno, 0);
    EXPECT_EQ(t.wrong_exception, 0);
    fiber::destroy(cache, t.self);
  }
}

}  // namespace
