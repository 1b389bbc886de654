#include <hop/obs/counter.hpp>

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/hop_test.hpp"

namespace {

using hop::obs::counter;

HOP_TEST(obs, a_counter_counts_what_its_owner_adds) {
  hop::obs::counter_block b;
  b.add(counter::switches);
  b.add(counter::switches, 41);
  EXPECT_EQ(b.value(counter::switches), 42u);
  EXPECT_EQ(b.value(counter::parks), 0u);
}

HOP_TEST(obs, totals_are_the_sum_over_workers) {
  hop::obs::counter_set set(3);
  for (std::size_t w = 0; w < 3; ++w) set.block(w).add(counter::parks, w + 1);
  EXPECT_EQ(set.total(counter::parks), 6u);
  EXPECT_EQ(set.totals()[counter::parks], 6u);
  EXPECT_EQ(set.block(2).value(counter::parks), 3u);
}

HOP_TEST(obs, blocks_of_two_workers_share_no_cache_line) {
  hop::obs::counter_set set(2);
  const auto a = reinterpret_cast<std::uintptr_t>(&set.block(0));
  const auto b = reinterpret_cast<std::uintptr_t>(&set.block(1));
  EXPECT_EQ(a % hop::base::cache_line, 0u);
  EXPECT_EQ((b - a) % hop::base::cache_line, 0u);
  EXPECT_GE(b - a, hop::obs::counter_count * sizeof(std::uint64_t));
}

HOP_TEST(obs, every_counter_has_a_name_of_its_own_a_room_and_words) {
  std::set<std::string_view> names;
  for (const hop::obs::counter_info& i : hop::obs::counter_list) {
    EXPECT_TRUE(names.insert(i.name).second) << i.name;
    EXPECT_FALSE(i.room.empty());
    EXPECT_FALSE(i.what.empty());
  }
  EXPECT_EQ(hop::obs::info_of(counter::switches).name, "switches");
}

HOP_TEST(obs, the_printed_table_has_each_counter_that_counted_and_no_other) {
  hop::obs::counter_set set(2);
  set.block(0).add(counter::parks, 7);
  set.block(1).add(counter::parks, 5);
  const std::string table = hop::obs::counter_table(set);
  EXPECT_NE(table.find("parks"), std::string::npos) << table;
  EXPECT_NE(table.find("12 (7 5)"), std::string::npos) << table;
  EXPECT_EQ(table.find("switches"), std::string::npos) << table;
}

HOP_TEST(obs, a_reader_beside_the_writers_sees_totals_rise_to_the_exact_end) {
  const std::size_t each = hop::test::scaled(200'000, 20'000);
  hop::obs::counter_set set(2);
  std::atomic<bool> stop{false};
  bool rose = true;
  std::thread reader([&] {
    for (std::uint64_t last = 0; !stop.load();) {
      const std::uint64_t now = set.total(counter::switches);
      rose = rose && now >= last;
      last = now;
    }
  });
  std::vector<std::thread> owners;
  for (std::size_t w = 0; w < 2; ++w) {
    owners.emplace_back([&set, w, each] {
      for (std::size_t i = 0; i < each; ++i) set.block(w).add(counter::switches);
    });
  }
  for (std::thread& t : owners) t.join();
  stop.store(true);
  reader.join();
  EXPECT_TRUE(rose);
  EXPECT_EQ(set.total(counter::switches), 2 * each);
}

}  // namespace
