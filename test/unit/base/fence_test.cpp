#include <hop/base/fence.hpp>

#include <array>

#include <hop/base/atomic.hpp>

#include "crew.hpp"
#include "support/hop_test.hpp"

// The model checker proves the fences; these claims hold the real ones to the same promise on this processor.
namespace {

using namespace hop::base;
using namespace hop::base::test;

HOP_TEST(base, of_two_threads_that_store_fence_and_look_one_sees_the_other) {
  const std::size_t turns = hop::test::scaled(100'000, 5'000);
  alignas(cache_line) atomic<int> x{0};
  alignas(cache_line) atomic<int> y{0};
  meeting m(2);
  std::array<int, 2> saw{};
  std::size_t both_missed = 0;
  // order: relaxed; the fences between store and load are what is tested. pairs: each other.
  const auto play = [&](atomic<int>& mine, atomic<int>& other, std::size_t me) {
    for (std::size_t i = 0; i < turns; ++i) {
      m.arrive();
      mine.store(1, std::memory_order_relaxed);
      fence_seq_cst();
      saw[me] = other.load(std::memory_order_relaxed);
      m.arrive();
      if (me == 0) {
        if (saw[0] == 0 && saw[1] == 0) ++both_missed;
        x.store(0, std::memory_order_relaxed);
        y.store(0, std::memory_order_relaxed);
      }
    }
  };
  crew c;
  c.add([&] { play(x, y, 0); });
  c.add([&] { play(y, x, 1); });
  c.join();
  EXPECT_EQ(both_missed, 0u);
}

HOP_TEST(base, a_release_fence_before_a_flag_publishes_to_an_acquire_fence_after_it) {
  const int turns = static_cast<int>(hop::test::scaled(20'000, 2'000));
  int data = 0;  // plain: TSan finds the race if a fence does not order it
  atomic<int> flag{0};
  atomic<int> taken{0};
  int wrong = 0;
  crew c;
  // order: relaxed on both words; the fences order `data`. pairs: the other thread's fence.
  c.add([&] {
    for (int i = 1; i <= turns; ++i) {
      data = i;
      fence_release();
      flag.store(i, std::memory_order_relaxed);
      for (int n = 0; taken.load(std::memory_order_relaxed) != i; ++n) n % 64 == 63 ? os_yield() : spin_hint();
      fence_acquire();
    }
  });
  c.add([&] {
    for (int i = 1; i <= turns; ++i) {
      for (int n = 0; flag.load(std::memory_order_relaxed) != i; ++n) n % 64 == 63 ? os_yield() : spin_hint();
      fence_acquire();
      if (data != i) ++wrong;
      fence_release();
      taken.store(i, std::memory_order_relaxed);
    }
  });
  c.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
