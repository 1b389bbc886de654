#include <hop/base/intrusive_list.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <vector>

#include <hop/base/prng.hpp>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using ::testing::KilledBySignal;

struct by_age;
struct by_size;

struct item : list_hook<by_age>, list_hook<by_size> {
  explicit item(int v) : value(v) {}
  int value;
};

using ages = intrusive_list<item, by_age>;
using sizes = intrusive_list<item, by_size>;

template <class List>
std::vector<int> values(List& list) {
  std::vector<int> out;
  for (item& i : list) out.push_back(i.value);
  return out;
}

template <class List>
void drain(List& list) {
  while (list.pop_front() != nullptr) {
  }
}

HOP_TEST(base, a_list_keeps_the_order_of_both_its_ends) {
  item a(1), b(2), c(3);
  ages list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.front(), nullptr);
  EXPECT_EQ(list.back(), nullptr);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_EQ(list.pop_back(), nullptr);
  list.push_back(b);
  list.push_back(c);
  list.push_front(a);
  EXPECT_EQ(values(list), (std::vector{1, 2, 3}));
  EXPECT_EQ(list.count(), 3u);
  EXPECT_EQ(list.front(), &a);
  EXPECT_EQ(list.back(), &c);
  EXPECT_EQ(list.pop_back(), &c);
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_EQ(list.pop_front(), &b);
  EXPECT_TRUE(list.empty());
}

HOP_TEST(base, an_element_leaves_from_the_middle_and_may_come_back) {
  item a(1), b(2), c(3);
  ages list;
  for (item* i : {&a, &b, &c}) list.push_back(*i);
  list.remove(b);
  EXPECT_FALSE(static_cast<list_hook<by_age>&>(b).linked());
  EXPECT_EQ(values(list), (std::vector{1, 3}));
  list.push_front(b);
  EXPECT_EQ(values(list), (std::vector{2, 1, 3}));
  drain(list);
}

HOP_TEST(base, an_element_is_inserted_before_another_or_at_the_end) {
  item a(1), b(2), c(3), d(4);
  ages list;
  list.insert_before(list.end(), c);
  list.insert_before(list.begin(), a);
  list.insert_before(++list.begin(), b);
  list.insert_before(list.end(), d);
  EXPECT_EQ(values(list), (std::vector{1, 2, 3, 4}));
  auto at = list.end();
  EXPECT_EQ((--at)->value, 4);
  EXPECT_EQ((at--)->value, 4);
  EXPECT_EQ((at++)->value, 3);
  EXPECT_EQ(at->value, 4);
  drain(list);
}

HOP_TEST(base, one_object_stands_in_a_list_for_each_of_its_tags) {
  item a(1), b(2);
  ages old;
  sizes large;
  old.push_back(a);
  old.push_back(b);
  large.push_back(b);
  large.push_back(a);
  old.remove(a);
  EXPECT_EQ(values(old), (std::vector{2}));
  EXPECT_EQ(values(large), (std::vector{2, 1}));
  drain(old);
  drain(large);
}

HOP_TEST(base, a_splice_moves_all_behind_the_last_in_order) {
  item a(1), b(2), c(3), d(4);
  ages to, from;
  to.push_back(a);
  from.push_back(b);
  from.push_back(c);
  to.splice_back(from);
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(values(to), (std::vector{1, 2, 3}));
  to.splice_back(from);
  EXPECT_EQ(to.count(), 3u);
  to.push_back(d);
  EXPECT_EQ(to.pop_back(), &d);
  EXPECT_EQ(to.pop_back(), &c);
  from.splice_back(to);  // into an empty one
  EXPECT_EQ(values(from), (std::vector{1, 2}));
  EXPECT_EQ(from.pop_back(), &b);
  drain(from);
}

HOP_TEST(base, an_element_pushed_twice_or_removed_from_nowhere_stops_the_process) {
  item a(1);
  ages list, other;
  EXPECT_EXIT(list.remove(a), KilledBySignal(SIGABRT), "remove of an element that is in no list");
  list.push_back(a);
  EXPECT_EXIT(list.push_back(a), KilledBySignal(SIGABRT), "element is in a list already");
  EXPECT_EXIT(other.push_front(a), KilledBySignal(SIGABRT), "element is in a list already");
  EXPECT_EXIT(list.splice_back(list), KilledBySignal(SIGABRT), "spliced into itself");
  drain(list);
}

HOP_TEST(base, a_checked_build_finds_elements_and_lists_destroyed_while_linked) {
  const auto element_first = [] {
    ages list;
    item gone(1);
    list.push_back(gone);
  };
  const auto list_first = [] {
    item stays(1);
    ages list;
    list.push_back(stays);
  };
  if constexpr (checked) {
    EXPECT_EXIT(element_first(), KilledBySignal(SIGABRT), "element destroyed while linked");
    EXPECT_EXIT(list_first(), KilledBySignal(SIGABRT), "destroyed with elements");
  } else {
    EXPECT_EXIT((element_first(), list_first(), std::_Exit(0)), ::testing::ExitedWithCode(0), "");
  }
}

HOP_TEST(base, random_pushes_and_removals_leave_what_a_deque_would_hold) {
  prng random(hop::test::seed());
  std::deque<item> items;
  for (int i = 0; i < 50; ++i) items.emplace_back(i);
  ages list;
  std::deque<int> model;
  for (int turn = 0; turn < 5'000; ++turn) {
    item& i = items[random.below(50)];
    const bool inside = static_cast<list_hook<by_age>&>(i).linked();
    ASSERT_EQ(inside, std::find(model.begin(), model.end(), i.value) != model.end());
    if (inside) {
      list.remove(i);
      model.erase(std::find(model.begin(), model.end(), i.value));
    } else if (random.below(2) == 0) {
      list.push_back(i);
      model.push_back(i.value);
    } else {
      list.push_front(i);
      model.push_front(i.value);
    }
    ASSERT_EQ(list.count(), model.size());
    ASSERT_TRUE(std::equal(list.begin(), list.end(), model.begin(), [](item& a, int b) { return a.value == b; }));
  }
  drain(list);
}

}  // namespace
