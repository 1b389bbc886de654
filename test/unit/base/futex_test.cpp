#include <hop/base/futex.hpp>

#include <chrono>
#include <vector>

#include "crew.hpp"
#include "sleepers.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

HOP_TEST(base, a_futex_wait_on_a_word_that_has_changed_returns_at_once) {
  atomic<std::uint32_t> word{7};
  EXPECT_EQ(futex_wait(word, 6), futex_end::changed);
  EXPECT_EQ(futex_wait(word, 6, clock::now() + std::chrono::hours(1)), futex_end::changed);
}

HOP_TEST(base, a_futex_wait_ends_at_its_deadline_and_not_before) {
  atomic<std::uint32_t> word{0};
  const deadline until = clock::now() + std::chrono::milliseconds(2);
  EXPECT_EQ(futex_wait(word, 0, until), futex_end::timed_out);
  EXPECT_GE(clock::now(), until);
}

HOP_TEST(base, a_deadline_in_the_past_is_a_time_out_even_before_the_clock_began) {
  atomic<std::uint32_t> word{0};
  EXPECT_EQ(futex_wait(word, 0, deadline{0}), futex_end::timed_out);
  EXPECT_EQ(futex_wait(word, 0, deadline{-1}), futex_end::timed_out);
  EXPECT_EQ(futex_wait(word, 0, clock::now() + duration::min()), futex_end::timed_out);
}

HOP_TEST(base, a_futex_wake_wakes_up_to_its_count_and_says_how_many) {
  atomic<std::uint32_t> word{0};
  atomic<int> woken{0};
  crew sleepers;
  for (int i = 0; i < 4; ++i) {
    sleepers.add([&] {
      if (futex_wait(word, 0) == futex_end::woken) woken.fetch_add(1);
    });
  }
  wait_for_sleepers(word, 0, 4);
  EXPECT_EQ(futex_wake(word, 1), 1);
  EXPECT_EQ(sleepers_on(word, 0), 3);
  EXPECT_EQ(futex_wake(word, 2), 2);
  EXPECT_EQ(sleepers_on(word, 0), 1);
  EXPECT_EQ(futex_wake(word, INT_MAX), 1);
  EXPECT_EQ(futex_wake(word, INT_MAX), 0);
  sleepers.join();
  EXPECT_EQ(woken.load(), 4);
}

HOP_TEST(base, a_futex_wake_of_none_wakes_none) {
  atomic<std::uint32_t> word{0};
  crew sleepers;
  sleepers.add([&] { futex_wait(word, 0); });
  wait_for_sleepers(word, 0, 1);
  EXPECT_EQ(futex_wake(word, 0), 0);
  EXPECT_EQ(futex_wake(word, -1), 0);
  EXPECT_EQ(sleepers_on(word, 0), 1);
  while (futex_wake(word, 1) == 0 && sleepers_on(word, 0) == 1) os_yield();
}

HOP_TEST(base, a_futex_wake_reaches_the_sleepers_of_its_word_only) {
  atomic<std::uint32_t> mine{0};
  atomic<std::uint32_t> other{0};
  crew sleepers;
  sleepers.add([&] { futex_wait(mine, 0); });
  wait_for_sleepers(mine, 0, 1);
  EXPECT_EQ(futex_wake(other, 1), 0);
  EXPECT_EQ(sleepers_on(mine, 0), 1);
  EXPECT_EQ(futex_wake(mine, 1), 1);
}

HOP_TEST(base, two_threads_hand_a_word_to_and_fro_and_no_wake_is_lost) {
  const std::uint32_t turns = static_cast<std::uint32_t>(hop::test::scaled(20'000, 2'000));
  atomic<std::uint32_t> word{0};
  const auto play = [&](std::uint32_t parity) {
    for (std::uint32_t turn = parity; turn < turns; turn += 2) {
      for (std::uint32_t seen = word.load(); seen != turn; seen = word.load()) futex_wait(word, seen);
      word.store(turn + 1);
      futex_wake(word, 1);
    }
  };
  crew players;
  players.add([&] { play(0); });
  players.add([&] { play(1); });
  players.join();
  EXPECT_EQ(word.load(), turns);
}

HOP_TEST(base, a_futex_word_outside_this_process_is_a_programmer_error) {
  auto* nowhere = reinterpret_cast<atomic<std::uint32_t>*>(std::uintptr_t{4096});
  EXPECT_EXIT(futex_wait(*nowhere, 0), ::testing::KilledBySignal(SIGABRT), "futex_wait refused");
}

}  // namespace
