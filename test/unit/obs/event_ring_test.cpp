#include <hop/obs/event_ring.hpp>

#include <atomic>
#include <set>
#include <string_view>
#include <thread>

#include <hop/base/prng.hpp>

#include "support/hop_test.hpp"

namespace {

using hop::obs::event;
using hop::obs::event_batch;
using hop::obs::event_kind;
using hop::obs::event_ring;

// Every field follows from the number, so that a torn event shows.
event numbered(std::uint64_t i) {
  return {i,  static_cast<event_kind>(i & 7), static_cast<std::uint16_t>(i * 3), static_cast<std::uint32_t>(i * 5),
          ~i, i * 0x9e3779b97f4a7c15u};
}

HOP_TEST(obs, a_ring_gives_back_what_was_written_in_order) {
  event_ring ring(3, 8);
  for (std::uint64_t i = 0; i < 5; ++i) ring.write(numbered(i));
  const event_batch got = ring.read();
  ASSERT_EQ(got.events.size(), 5u);
  EXPECT_EQ(got.lost, 0u);
  EXPECT_EQ(got.next, 5u);
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(got.events[i], numbered(i));
}

HOP_TEST(obs, a_full_ring_overwrites_the_oldest_and_says_how_many) {
  event_ring ring(0, 8);
  for (std::uint64_t i = 0; i < 100; ++i) ring.write(numbered(i));
  const event_batch got = ring.read();
  ASSERT_EQ(got.events.size(), 7u);
  EXPECT_EQ(got.lost, 93u);
  for (std::uint64_t i = 0; i < 7; ++i) EXPECT_EQ(got.events[i], numbered(93 + i));
}

HOP_TEST(obs, reading_on_gives_each_event_once) {
  event_ring ring(0, 8);
  hop::base::prng random(hop::test::seed());
  std::uint64_t written = 0, seen = 0, lost = 0, next = 0;
  for (int turn = 0; turn < 500; ++turn) {
    for (std::uint32_t n = random.below(12); n != 0; --n) ring.write(numbered(written++));
    const event_batch got = ring.read(next);
    ASSERT_EQ(next + got.lost + got.events.size(), got.next);
    for (std::size_t i = 0; i < got.events.size(); ++i) ASSERT_EQ(got.events[i], numbered(next + got.lost + i));
    next = got.next;
    seen += got.events.size();
    lost += got.lost;
  }
  EXPECT_EQ(seen + lost, written);
  EXPECT_TRUE(ring.read(next + 1000).events.empty());
}

HOP_TEST(obs, a_ring_is_off_until_it_is_enabled) {
  event_ring ring(7, 8);
  ring.emit(event_kind::mark, 1);
  EXPECT_EQ(ring.written(), 0u);
  ring.enable(true);
  ring.emit(event_kind::mark, 2, 3, 4);
  ring.enable(false);
  ring.emit(event_kind::mark, 5);
  const event_batch got = ring.read();
  ASSERT_EQ(got.events.size(), 1u);
  EXPECT_EQ(got.events[0].kind, event_kind::mark);
  EXPECT_EQ(got.events[0].worker, 7u);
  EXPECT_EQ(got.events[0].a, 2u);
  EXPECT_EQ(got.events[0].b, 3u);
  EXPECT_EQ(got.events[0].small, 4u);
  EXPECT_NE(got.events[0].time_ns, 0u);
}

HOP_TEST(obs, every_event_kind_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  for (const auto& k : hop::obs::event_kind_list) EXPECT_TRUE(names.insert(k.name).second) << k.name;
  EXPECT_EQ(hop::obs::info_of(event_kind::mark).name, "mark");
  EXPECT_EQ(hop::obs::info_of(static_cast<event_kind>(60'000)).name, "unknown");
}

HOP_TEST(obs, a_capacity_that_is_no_power_of_two_is_refused) { EXPECT_DEATH(event_ring(0, 12), "power of two"); }

HOP_TEST(obs, a_reader_beside_the_writer_gets_whole_events_only_and_accounts_for_all) {
  const std::uint64_t n = hop::test::scaled(2'000'000, 50'000);
  event_ring ring(0, 16);
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    for (std::uint64_t i = 0; i < n; ++i) ring.write(numbered(i));
    stop.store(true);
  });
  std::uint64_t next = 0, seen = 0, lost = 0;
  bool good = true;
  for (bool ended = false; !ended;) {
    ended = stop.load();
    const event_batch got = ring.read(next);
    good = good && next + got.lost + got.events.size() == got.next;
    for (std::size_t i = 0; i < got.events.size(); ++i) good = good && got.events[i] == numbered(next + got.lost + i);
    next = got.next;
    seen += got.events.size();
    lost += got.lost;
  }
  owner.join();
  EXPECT_TRUE(good);
  EXPECT_EQ(seen + lost, n);
  EXPECT_GE(seen, 15u);
}

}  // namespace
