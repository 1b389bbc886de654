#include <hop/base/lock_rank.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <hop/base/mutex.hpp>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;
using ::testing::KilledBySignal;

// The end of a program that breaks the order: stopped where ranks are checked (dev, asan, tsan), unharmed where they
// are not.
bool as_checked(int status) { return checked ? KilledBySignal(SIGABRT)(status) : ::testing::ExitedWithCode(0)(status); }

#define EXPECT_RANK_PANIC(statement, text) EXPECT_EXIT((statement, std::_Exit(0)), as_checked, checked ? text : "")

// For a lock the analysis does not see taken: inside an ASSERT, or by another thread.
template <class Mutex>
void give_back(Mutex& mu) HOP_NO_TSA {
  mu.unlock();
}

HOP_TEST(C27, locks_taken_in_rising_rank_are_granted_and_given_back) {
  ranked_mutex outer(lock_rank::test_outer);
  ranked_mutex inner(lock_rank::test_inner);
  EXPECT_EQ(ranks_held(), 0);
  for (int i = 0; i < 3; ++i) {
    lock_guard a(outer);
    EXPECT_EQ(ranks_held(), checked ? 1 : 0);
    lock_guard b(inner);
    EXPECT_EQ(ranks_held(), checked ? 2 : 0);
  }
  EXPECT_EQ(ranks_held(), 0);
  EXPECT_EQ(outer.rank(), lock_rank::test_outer);
}

void take_both(lock_rank first, lock_rank second) {
  ranked_mutex a(first);
  ranked_mutex b(second);
  a.lock();
  b.lock();
  b.unlock();
  a.unlock();
}

HOP_TEST(C27, a_lock_asked_for_under_a_higher_one_stops_the_process_and_both_are_named) {
  EXPECT_RANK_PANIC(take_both(lock_rank::test_inner, lock_rank::test_outer),
                    "lock order: test_outer \\(10\\) asked for while holding test_inner \\(20\\)");
}

HOP_TEST(C27, two_locks_of_one_rank_cannot_be_held_together) {
  EXPECT_RANK_PANIC(take_both(lock_rank::log_sink, lock_rank::log_sink),
                    "log_sink \\(250\\) asked for while holding log_sink \\(250\\)");
}

void lock_under_any_of_three() HOP_NO_TSA {
  ranked_mutex outer(lock_rank::test_outer);
  ranked_mutex inner(lock_rank::test_inner);
  ranked_mutex sink(lock_rank::log_sink);
  sink.lock();
  static_cast<void>(outer.try_lock());  // the last one taken ranks lowest, but the sink is held still
  inner.lock();
  inner.unlock();
  outer.unlock();
  sink.unlock();
}

HOP_TEST(C27, every_lock_held_counts_not_only_the_last_one_taken) {
  EXPECT_RANK_PANIC(lock_under_any_of_three(), "test_inner \\(20\\) asked for while holding log_sink \\(250\\)");
}

HOP_TEST(C27, a_try_never_waits_so_its_order_is_free) {
  ranked_mutex outer(lock_rank::test_outer);
  ranked_mutex inner(lock_rank::test_inner);
  lock_guard hold(inner);
  ASSERT_TRUE(outer.try_lock());
  EXPECT_EQ(ranks_held(), checked ? 2 : 0);
  give_back(outer);
  EXPECT_EQ(ranks_held(), checked ? 1 : 0);
}

HOP_TEST(C27, a_refused_try_leaves_no_rank_behind) {
  ranked_mutex mu(lock_rank::test_outer);
  lock_guard hold(mu);
  bool got = true;
  int held = -1;
  crew c;
  c.add([&] {
    got = mu.try_lock();
    held = ranks_held();
  });
  c.join();
  EXPECT_FALSE(got);
  EXPECT_EQ(held, 0);
}

HOP_TEST(C27, locks_may_be_given_back_in_any_order) {
  ranked_mutex outer(lock_rank::test_outer);
  ranked_mutex middle(lock_rank::test_inner);
  ranked_mutex inner(lock_rank::log_sink);
  outer.lock();
  middle.lock();
  inner.lock();
  middle.unlock();
  EXPECT_EQ(ranks_held(), checked ? 2 : 0);
  outer.unlock();
  inner.unlock();
  EXPECT_EQ(ranks_held(), 0);
  take_both(lock_rank::test_outer, lock_rank::test_inner);
}

HOP_TEST(C27, ranks_belong_to_a_thread) {
  ranked_mutex inner(lock_rank::test_inner);
  lock_guard hold(inner);
  crew c;
  c.add([] { take_both(lock_rank::test_outer, lock_rank::test_inner); });
  c.join();
  EXPECT_EQ(ranks_held(), checked ? 1 : 0);
}

void unlock_from_another_thread() HOP_NO_TSA {
  ranked_mutex mu(lock_rank::test_outer);
  mu.lock();
  crew c;
  c.add([&] { give_back(mu); });
}

HOP_TEST(C27, a_lock_given_back_by_a_thread_that_does_not_hold_it_stops_the_process) {
  EXPECT_RANK_PANIC(unlock_from_another_thread(), "released by a thread that does not hold it");
}

void take_more_than_the_table_holds() HOP_NO_TSA {
  std::vector<std::unique_ptr<ranked_mutex>> many;
  for (int rank = 0; rank < 17; ++rank) many.push_back(std::make_unique<ranked_mutex>(static_cast<lock_rank>(rank)));
  for (auto& mu : many) mu->lock();
  for (auto& mu : many) mu->unlock();
}

HOP_TEST(C27, more_locks_than_the_table_has_room_for_stop_the_process) {
  EXPECT_RANK_PANIC(take_more_than_the_table_holds(), "more ranked locks held at once");
}

HOP_TEST(C27, an_unchecked_build_pays_one_byte_for_a_rank_and_calls_nothing) {
  static_assert(sizeof(ranked_mutex) <= 2 * sizeof(mutex));
  static_assert(noexcept(rank_check_before_lock(lock_rank::test_outer)));
  if constexpr (!checked) {
    for (int i = 0; i < 100; ++i) rank_taken(lock_rank::test_outer);  // nothing is kept, so nothing overflows
    rank_released(lock_rank::log_sink);
  }
  EXPECT_EQ(ranks_held(), 0);
}

struct written_rank {
  std::string name;
  int value;
  std::string guards;
};

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" ,");
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(" ,") - from + 1);
}

// The enumerators as the header documents them, one a line: `name = value,  // what it guards`.
std::vector<written_rank> documented_ranks() {
  const std::string here = __FILE__;
  std::ifstream header(here.substr(0, here.rfind("test/unit/")) + "include/hop/base/lock_rank.hpp");
  std::vector<written_rank> found;
  std::string line;
  while (std::getline(header, line) && !line.starts_with("enum class lock_rank")) continue;
  while (std::getline(header, line) && !line.starts_with("}")) {
    const std::size_t comment = std::min(line.find("//"), line.size());
    const std::string code = line.substr(0, comment);
    if (trimmed(code).empty()) continue;
    const std::size_t equals = code.find('=');
    const int value = equals == std::string::npos ? -1 : std::stoi(code.substr(equals + 1));
    found.push_back({trimmed(code.substr(0, equals)), value, trimmed(line.substr(std::min(comment + 2, line.size())))});
  }
  return found;
}

HOP_TEST(C27, every_rank_in_the_header_has_a_value_a_name_and_a_line_on_what_it_guards) {
  const std::vector<written_rank> ranks = documented_ranks();
  ASSERT_GE(ranks.size(), 5u);
  for (const written_rank& r : ranks) {
    EXPECT_GE(r.value, 0) << r.name << ": a rank says its number";
    EXPECT_FALSE(r.guards.empty()) << r.name << " does not say what it guards";
    EXPECT_EQ(to_string(static_cast<lock_rank>(r.value)), r.name);
  }
}

HOP_TEST(C27, the_header_lists_the_ranks_from_the_outermost_to_the_innermost) {
  int last = -1;
  for (const written_rank& r : documented_ranks()) {
    EXPECT_GT(r.value, last) << r.name << " is out of its place";
    last = r.value;
  }
  EXPECT_EQ(last, static_cast<int>(lock_rank::log_sink)) << "anyone may log, whatever he holds";
}

HOP_TEST(C27, a_rank_has_a_name_only_if_the_header_documents_it) {
  std::set<std::string> documented;
  for (const written_rank& r : documented_ranks()) EXPECT_TRUE(documented.insert(r.name).second) << r.name;
  for (int value = 0; value < 256; ++value) {
    const std::string name = to_string(static_cast<lock_rank>(value));
    if (name == "unknown rank") continue;
    EXPECT_EQ(documented.erase(name), 1u) << name;
  }
  EXPECT_TRUE(documented.empty());
}

}  // namespace
