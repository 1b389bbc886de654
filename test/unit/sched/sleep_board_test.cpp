// The board that workers sleep on: its packed word, and how many are woken for what.
#include <hop/sched/sleep_board.hpp>

#include <atomic>
#include <thread>

#include "support/hop_test.hpp"

namespace {

using hop::sched::sleep_board;
using hop::sched::sleep_counts;

HOP_TEST(B4, the_three_fields_of_the_word_do_not_touch_each_other) {
  const sleep_counts c{(std::uint64_t{0xabcdef01} << 32) | (std::uint64_t{0x1234} << 16) | 0x0034};
  EXPECT_EQ(c.events(), 0xabcdef01u);
  EXPECT_EQ(c.inactive(), 0x1234u);
  EXPECT_EQ(c.sleeping(), 0x34u);
  EXPECT_EQ(c.looking(), 0x1200u);
  EXPECT_FALSE(c.sleepy());
  EXPECT_EQ(sleep_counts{c.word + sleep_counts::one_sleeping}.sleeping(), 0x35u);
  EXPECT_EQ(sleep_counts{c.word + sleep_counts::one_inactive}.inactive(), 0x1235u);
  EXPECT_EQ(sleep_counts{c.word + sleep_counts::one_event}.events(), 0xabcdef02u);
}

HOP_TEST(B4, the_event_counter_wraps_without_touching_the_counts) {
  sleep_board board(2, 0xffffffffu);
  board.start_looking();
  board.start_looking();
  EXPECT_EQ(board.announce(), 0u);  // from the largest odd number to even
  EXPECT_EQ(board.counts().inactive(), 2u);
  EXPECT_EQ(board.announce(), 0u);  // already even: nothing was posted since
  EXPECT_EQ(board.post(), 0u);
  EXPECT_EQ(board.counts().events(), 1u);
  EXPECT_FALSE(board.try_sleep(0, 0, [] { return false; }));  // the ticket is void
  EXPECT_EQ(board.counts().sleeping(), 0u);
  EXPECT_EQ(board.counts().inactive(), 2u);
}

HOP_TEST(X1, announcing_makes_the_counter_even_and_posting_makes_it_odd) {
  sleep_board board(1);
  EXPECT_FALSE(board.counts().sleepy());
  static_cast<void>(board.announce());
  EXPECT_TRUE(board.counts().sleepy());
  board.post();
  EXPECT_FALSE(board.counts().sleepy());
  const std::uint32_t before = board.counts().events();
  board.post();  // nobody has announced: nothing to tell
  EXPECT_EQ(board.counts().events(), before);
}

// A thread that sleeps as worker `me` until it is woken.
class sleeper {
 public:
  sleeper(sleep_board& b, std::size_t me)
      : thread_([&b, me, this] {
          b.start_looking();
          while (!b.try_sleep(me, b.announce(), [] { return false; })) {
          }
          woken_ = true;
          static_cast<void>(b.work_found());
        }) {
    while (!b.sleeps(me)) std::this_thread::yield();
  }
  ~sleeper() { thread_.join(); }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;
  [[nodiscard]] bool woken() const { return woken_.load(); }

 private:
  std::atomic<bool> woken_{false};
  std::thread thread_;
};

HOP_TEST(B8, nobody_is_woken_while_enough_are_looking_and_one_when_nobody_is) {
  sleep_board board(3);
  sleeper a(board, 0), b(board, 1);
  board.start_looking();  // a third one looks
  EXPECT_EQ(board.post(1), 0u);
  EXPECT_EQ(board.counts().sleeping(), 2u);
  EXPECT_EQ(board.post(2), 1u);  // one looks, one is woken
  while (board.counts().inactive() != 2) std::this_thread::yield();
  static_cast<void>(board.work_found());
  EXPECT_EQ(board.post(1), 1u);
  EXPECT_EQ(board.post(1), 0u);  // nobody is left
}

HOP_TEST(X8, one_wake_for_one_piece_of_work_from_outside) {
  sleep_board board(4);
  sleeper a(board, 0), b(board, 1), c(board, 2);
  EXPECT_EQ(board.post_from_outside(2), 1u);
  while (!c.woken()) std::this_thread::yield();  // the one it was meant for
  EXPECT_FALSE(a.woken() || b.woken());
  EXPECT_EQ(board.post_from_outside(2), 1u);  // it is awake: another
  EXPECT_EQ(board.post_from_outside(2), 1u);
  EXPECT_EQ(board.post_from_outside(2), 0u);
}

HOP_TEST(B9, the_waker_takes_the_sleeper_out_of_the_count) {
  sleep_board board(2);
  sleeper a(board, 0);
  EXPECT_EQ(board.counts().sleeping(), 1u);
  EXPECT_TRUE(board.wake_one(0));
  EXPECT_EQ(board.counts().sleeping(), 0u);  // before the sleeper has done anything
  EXPECT_FALSE(board.wake_one(0));
  EXPECT_FALSE(board.wake_one(1));
}

HOP_TEST(B17, the_word_and_every_bed_have_cache_lines_of_their_own) {
  EXPECT_EQ(alignof(sleep_board), hop::base::cache_line);
  EXPECT_EQ(sleep_board::bed_bytes() % hop::base::cache_line, 0u);
}

}  // namespace
