#include <hop/base/mutex.hpp>

#include <cstring>

#include "crew.hpp"
#include "sleepers.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

static_assert(sizeof(futex_mutex) == sizeof(std::uint32_t), "a futex_mutex is its word, which word_of() relies on");

atomic<std::uint32_t>& word_of(futex_mutex& m) { return reinterpret_cast<atomic<std::uint32_t>&>(m); }
constexpr std::uint32_t contended = 2;

// For a lock taken inside an ASSERT, which the analysis does not see.
template <class Mutex>
void give_back(Mutex& mu) HOP_NO_TSA {
  mu.unlock();
}

template <class Mutex>
void count_under(Mutex& mu, std::size_t threads, std::uint64_t each) {
  std::uint64_t a = 0, b = 0;  // plain: only the lock keeps them whole, and TSan looks on
  crew c;
  for (std::size_t t = 0; t < threads; ++t) {
    c.add([&] {
      for (std::uint64_t i = 0; i < each; ++i) {
        lock_guard hold(mu);
        ++a;
        if (i % 64 == 0) os_yield();  // so that others meet a held lock and sleep
        b = a;
      }
    });
  }
  c.join();
  EXPECT_EQ(a, threads * each);
  EXPECT_EQ(b, a);
}

HOP_TEST(base, a_mutex_has_one_holder_at_a_time) {
  mutex mu;
  count_under(mu, 4, hop::test::scaled(50'000, 5'000));
}

HOP_TEST(base, a_ranked_mutex_has_one_holder_at_a_time) {
  ranked_mutex mu(lock_rank::test_outer);
  count_under(mu, 4, hop::test::scaled(50'000, 5'000));
}

HOP_TEST(base, a_held_mutex_refuses_a_try_and_a_free_one_grants_it) {
  mutex mu;
  ASSERT_TRUE(mu.try_lock());
  crew c;
  bool got = true;
  c.add([&] { got = mu.try_lock(); });
  c.join();
  EXPECT_FALSE(got);
  give_back(mu);
  ASSERT_TRUE(mu.try_lock());
  give_back(mu);
}

HOP_TEST(base, an_unlock_wakes_a_thread_that_sleeps_for_the_lock) {
  futex_mutex mu;
  int holders = 0;
  mu.lock();
  crew c;
  for (int i = 0; i < 3; ++i) {
    c.add([&] {
      lock_guard hold(mu);
      ++holders;
    });
  }
  wait_for_sleepers(word_of(mu), contended, 3);
  EXPECT_EQ(holders, 0) << "a sleeper does not hold the lock";
  mu.unlock();
  c.join();  // each wakes the next: a lost wake would hang here
  EXPECT_EQ(holders, 3);
}

HOP_TEST(base, a_mutex_nobody_waits_for_is_free_again_without_a_trace) {
  futex_mutex mu;
  for (int i = 0; i < 3; ++i) {
    mu.lock();
    EXPECT_EQ(word_of(mu).load(), 1u) << "held, and nobody sleeps: unlock() needs no system call";
    mu.unlock();
    EXPECT_EQ(word_of(mu).load(), 0u);
  }
}

HOP_TEST(base, a_guard_gives_the_lock_back_when_an_exception_leaves_its_scope) {
  mutex mu;
  try {
    lock_guard hold(mu);
    throw 1;
  } catch (int) {
  }
  ASSERT_TRUE(mu.try_lock());
  give_back(mu);
}

}  // namespace
