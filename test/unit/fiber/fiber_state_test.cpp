#include <hop/fiber/fiber_state.hpp>

#include <atomic>
#include <random>
#include <thread>

#include "support/hop_test.hpp"

namespace {

using namespace hop::fiber;

constexpr std::array<fiber_state, fiber_state_count> all_states{fiber_state::created, fiber_state::queued,
                                                                fiber_state::running, fiber_state::parking,
                                                                fiber_state::parked,  fiber_state::done};

void bring_to(fiber_word& w, fiber_state s) {
  if (s == fiber_state::created) return;
  w.enqueue_new();
  if (s == fiber_state::queued) return;
  ASSERT_TRUE(w.begin_run());
  if (s == fiber_state::running) return;
  if (s == fiber_state::done) return w.finish();
  ASSERT_TRUE(w.begin_park());
  if (s == fiber_state::parked) {
    ASSERT_TRUE(w.commit_park());
  }
}

HOP_TEST(fiber, the_table_has_the_seven_arrows_and_no_other) {
  int legal = 0;
  for (const fiber_state a : all_states) {
    for (const fiber_state b : all_states) legal += is_legal(a, b) ? 1 : 0;
    EXPECT_FALSE(is_legal(fiber_state::done, a)) << to_string(a);
    EXPECT_FALSE(is_legal(a, fiber_state::created)) << to_string(a);
    EXPECT_FALSE(is_legal(a, a)) << to_string(a);
  }
  EXPECT_EQ(legal, 7);
}

// The reference: the same machine as a table walk, told in the words of the header.
struct reference {
  fiber_state state = fiber_state::created;
  bool latch = false;
};

HOP_TEST(fiber, random_walks_follow_the_table) {
  std::mt19937_64 rng(hop::test::seed());
  for (int walk = 0; walk < 2'000; ++walk) {
    fiber_word w;
    reference r;
    for (int step = 0; step < 60 && r.state != fiber_state::done; ++step) {
      const fiber_state before = r.state;
      const auto choice = rng() % 7;
      if (choice == 0 && r.state == fiber_state::created) {
        w.enqueue_new();
        r.state = fiber_state::queued;
      } else if (choice == 1 && r.state != fiber_state::created) {
        const bool expected = r.state == fiber_state::queued;
        ASSERT_EQ(w.begin_run(), expected);
        if (expected) r.state = fiber_state::running;
      } else if (choice == 2 && r.state == fiber_state::running) {
        ASSERT_EQ(w.begin_park(), !r.latch);
        if (!r.latch) r.state = fiber_state::parking;
        r.latch = false;
      } else if (choice == 3 && r.state == fiber_state::parking) {
        ASSERT_TRUE(w.commit_park());
        r.state = fiber_state::parked;
      } else if (choice == 4 && r.state != fiber_state::created) {
        ASSERT_EQ(w.unpark(), r.state == fiber_state::parked);
        if (r.state == fiber_state::parking) {
          ASSERT_FALSE(w.commit_park());  // the parking worker hears of it and enqueues
          r.state = fiber_state::queued;
        } else if (r.state == fiber_state::parked) {
          r.state = fiber_state::queued;
        } else {
          r.latch = true;
        }
      } else if (choice == 5 && r.state == fiber_state::running) {
        ASSERT_EQ(w.clear_latch(), r.latch);
        r.latch = false;
      } else if (choice == 6 && r.state == fiber_state::running && rng() % 8 == 0) {
        w.finish();
        r = {fiber_state::done, false};
      }
      ASSERT_EQ(w.state(), r.state);
      ASSERT_EQ(w.latched(), r.latch);
      ASSERT_TRUE(before == r.state || is_legal(before, r.state)) << to_string(before) << " to " << to_string(r.state);
    }
  }
}

HOP_TEST(fiber, an_illegal_arrow_stops_the_process) {
  for (const fiber_state s : all_states) {
    SCOPED_TRACE(to_string(s));
    fiber_word w;
    bring_to(w, s);
    if (s != fiber_state::created) {
      EXPECT_DEATH(w.enqueue_new(), "not new");
    }
    if (s != fiber_state::running) {
      EXPECT_DEATH((void)w.begin_park(), "does not run");
      EXPECT_DEATH(w.finish(), "does not run");
      EXPECT_DEATH(w.clear_latch(), "does not run");
    }
    if (s != fiber_state::parking && s != fiber_state::queued) {
      EXPECT_DEATH((void)w.commit_park(), "not parking");
    }
    if (s == fiber_state::created || s == fiber_state::done) {
      EXPECT_DEATH((void)w.unpark(), "new or done");
    }
  }
}

// One thread parks, two unpark at random: every unpark is answered by a run, and no two runs overlap.
HOP_TEST(fiber, no_unpark_is_lost_and_no_fiber_runs_twice_at_once) {
  fiber_word w;
  w.enqueue_new();
  std::atomic<int> queue{1};
  std::atomic<std::uint64_t> posted{0};
  std::atomic<int> live_posters{2};
  const std::uint64_t each = hop::test::scaled(200'000, 20'000);

  auto poster = [&] {
    for (std::uint64_t i = 0; i < each; ++i) {
      posted.fetch_add(1);
      if (w.unpark()) {  // never on a queue twice
        ASSERT_EQ(queue.fetch_add(1), 0);
      }
    }
    live_posters.fetch_sub(1);
  };
  std::thread a(poster), b(poster);
  std::uint64_t seen = 0;
  for (;;) {  // the worker
    while (queue.load() == 0) std::this_thread::yield();
    queue.fetch_sub(1);
    ASSERT_TRUE(w.begin_run());
    for (;;) {  // the fiber: goes on until everything posted was seen
      seen = posted.load();
      if (seen == 2 * each) break;
      if (w.begin_park()) break;
    }
    if (seen == 2 * each) break;
    if (!w.commit_park()) queue.fetch_add(1);
  }
  a.join();
  b.join();
  EXPECT_EQ(seen, 2 * each);
  if (w.state() == fiber_state::running) w.finish();
}

}  // namespace
