// The queues under real threads: every task is taken once, in the order each queue promises.
#include <hop/sched/deque.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <hop/base/prng.hpp>
#include <hop/sched/fifo.hpp>
#include <hop/sched/inbox.hpp>

#include "support/hop_test.hpp"

namespace {

struct item {
  std::uint32_t number = 0;
  std::atomic<int> taken{0};
  hop::base::plain<item*> next{nullptr};
  std::uint32_t arrived_us = 0;
};

constexpr auto ignore = [] {};

HOP_TEST(B1, the_owner_takes_the_newest_and_a_thief_the_oldest) {
  auto d = std::make_unique<hop::sched::deque<item, 16>>();
  std::array<item, 8> items;
  for (auto& i : items) ASSERT_TRUE(d->push(&i));
  EXPECT_EQ(d->pop(ignore), &items[7]);
  item* loot[4];
  EXPECT_EQ(d->steal(loot, 4), 0u);  // private, and nobody asked
  d->ask();
  EXPECT_TRUE(d->asked());
  EXPECT_TRUE(d->answer());  // half of seven, rounded up
  ASSERT_EQ(d->steal(loot, 4), 2u);
  EXPECT_EQ(loot[0], &items[0]);
  EXPECT_EQ(loot[1], &items[1]);
  EXPECT_TRUE(d->pop_if(&items[6], ignore));
  EXPECT_FALSE(d->pop_if(&items[4], ignore));  // not the newest
  EXPECT_TRUE(d->share_all());
  EXPECT_FALSE(d->share_all());
  EXPECT_EQ(d->pop(ignore), &items[5]);  // taken back
  EXPECT_EQ(d->pop(ignore), &items[4]);
  EXPECT_EQ(d->pop(ignore), &items[3]);
  EXPECT_EQ(d->pop(ignore), &items[2]);
  EXPECT_EQ(d->pop(ignore), nullptr);
  EXPECT_TRUE(d->empty());
}

HOP_TEST(B1, a_full_deque_says_so_and_takes_again_what_thieves_made_room_for) {
  auto d = std::make_unique<hop::sched::deque<item, 16>>();
  std::array<item, 40> items;
  for (std::size_t i = 0; i < 16; ++i) ASSERT_TRUE(d->push(&items[i]));
  EXPECT_FALSE(d->push(&items[16]));
  d->share_all();
  item* loot[16];
  ASSERT_EQ(d->steal(loot, 16), 8u);
  for (std::size_t i = 16; i < 24; ++i) ASSERT_TRUE(d->push(&items[i]));
  EXPECT_FALSE(d->push(&items[24]));
  for (std::size_t i = 24; i-- > 8;) ASSERT_EQ(d->pop(ignore), &items[i]);
  EXPECT_EQ(d->pop(ignore), nullptr);
}

// One owner that pushes and pops at random, thieves that steal and ask, one that forces: each item once.
HOP_TEST(B1, every_task_is_taken_once_by_owner_thieves_and_force) {
  const std::uint32_t n = static_cast<std::uint32_t>(hop::test::scaled(400'000, 20'000));
  auto d = std::make_unique<hop::sched::deque<item, 64>>();
  std::vector<item> items(n);
  std::atomic<bool> over{false};
  std::atomic<std::uint32_t> stolen{0};
  std::vector<std::thread> thieves;
  for (int t = 0; t < 2; ++t) {
    thieves.emplace_back([&, t] {
      item* loot[8];
      while (!over.load()) {
        const std::uint32_t k = d->steal(loot, 8);
        if (k == d->lost) continue;
        for (std::uint32_t i = 0; i < k; ++i) ++loot[i]->taken;
        stolen += k;
        if (k == 0 && t == 0) d->ask();
        if (k == 0) std::this_thread::yield();
      }
    });
  }
  thieves.emplace_back([&] {
    while (!over.load()) {
      if (d->has_private()) d->force();
      std::this_thread::yield();
    }
  });
  hop::base::prng random(hop::test::seed());
  std::uint32_t popped = 0;
  for (std::uint32_t i = 0; i < n;) {
    for (std::uint32_t k = random.below(20); k != 0 && i < n; --k) {
      if (!d->push(&items[i])) break;
      ++i;
      if (d->asked()) d->answer();
    }
    for (std::uint32_t k = random.below(20); k != 0; --k) {
      item* const got = d->pop(ignore);
      if (got == nullptr) break;
      ++got->taken;
      ++popped;
    }
    if (random.below(64) == 0) d->share_all();
  }
  while (item* const got = d->pop(ignore)) {
    ++got->taken;
    ++popped;
  }
  over = true;
  for (auto& t : thieves) t.join();
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(items[i].taken.load(), 1) << i;
  EXPECT_EQ(popped + stolen.load(), n);
}

HOP_TEST(E21, a_fifo_gives_the_oldest_to_whoever_comes_and_each_once) {
  const std::uint32_t n = static_cast<std::uint32_t>(hop::test::scaled(300'000, 20'000));
  auto q = std::make_unique<hop::sched::fifo<item, 64>>();
  std::vector<item> items(n);
  for (std::uint32_t i = 0; i < n; ++i) items[i].number = i;
  std::atomic<bool> over{false};
  std::atomic<int> disorder{0};
  const auto consume = [&] {
    std::uint32_t last = 0;
    for (;;) {
      const bool end = over.load();
      item* const got = q->take();
      if (got == nullptr) {
        if (end) return;
        std::this_thread::yield();
        continue;
      }
      ++got->taken;
      disorder += got->number < last;  // one taker sees them in order
      last = got->number;
    }
  };
  std::thread a(consume), b(consume);
  for (std::uint32_t i = 0; i < n;) {
    if (q->push(&items[i])) {
      ++i;
    } else if (item* const got = q->take()) {
      ++got->taken;
    }
  }
  over = true;
  a.join();
  b.join();
  EXPECT_EQ(disorder.load(), 0);
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(items[i].taken.load(), 1) << i;
}

HOP_TEST(X7, an_inbox_gives_the_oldest_first_and_loses_nothing) {
  const std::uint32_t each = static_cast<std::uint32_t>(hop::test::scaled(100'000, 10'000));
  hop::sched::inbox<item> box;
  constexpr std::uint32_t pushers = 3;
  std::vector<item> items(pushers * each);
  std::atomic<std::uint32_t> left{pushers};
  std::vector<std::thread> threads;
  for (std::uint32_t p = 0; p < pushers; ++p) {
    threads.emplace_back([&, p] {
      for (std::uint32_t i = 0; i < each; ++i) {
        items[p * each + i].number = i;
        box.push(&items[p * each + i]);
      }
      --left;
    });
  }
  std::array<std::uint32_t, pushers> expected{};
  std::uint32_t got = 0;
  while (got < pushers * each) {
    item* const t = box.take();
    if (t == nullptr) {
      std::this_thread::yield();
      continue;
    }
    const auto p = static_cast<std::size_t>(t - items.data()) / each;
    ASSERT_EQ(t->number, expected[p]++) << "pusher " << p;  // in the order of its pushes
    ++got;
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(box.take(), nullptr);
  EXPECT_TRUE(box.seems_empty());
}

HOP_TEST(B14, many_takers_and_many_pushers_share_an_inbox_without_loss) {
  const std::uint32_t each = static_cast<std::uint32_t>(hop::test::scaled(50'000, 5'000));
  hop::sched::inbox<item> box;
  std::vector<item> items(4 * each);
  std::atomic<std::uint32_t> got{0};
  std::vector<std::thread> threads;
  for (std::uint32_t p = 0; p < 4; ++p) {
    threads.emplace_back([&, p] {
      for (std::uint32_t i = 0; i < each; ++i) box.push(&items[p * each + i]);
    });
    threads.emplace_back([&] {
      while (got.load() < 4 * each) {
        if (item* const t = box.take()) {
          ++t->taken;
          ++got;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (auto& t : threads) t.join();
  for (const auto& i : items) ASSERT_EQ(i.taken.load(), 1);
}

}  // namespace
