#include <hop/base/result.hpp>

#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <hop/base/prng.hpp>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using ::testing::KilledBySignal;

static_assert(!std::is_copy_constructible_v<result<std::unique_ptr<int>>>);
static_assert(std::is_copy_constructible_v<result<std::string>>);
static_assert(std::is_nothrow_move_constructible_v<result<std::unique_ptr<int>>>);
static_assert(!std::is_convertible_v<result<int>, bool>, "a result<bool> must not be mistaken for its value");
static_assert(std::is_same_v<hop::result<int>, result<int>>);

result<int> half(int n) {
  if (n % 2 != 0) return {error{errc::invalid, 7, "odd"}};
  return n / 2;
}

HOP_TEST(base, a_result_holds_a_value_or_an_error) {
  const result<int> good = half(8);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  EXPECT_EQ(good.value(), 4);
  EXPECT_EQ(good.code(), errc::ok);
  EXPECT_EQ(good.error().code, errc::ok);
  EXPECT_EQ(good.value_or(-1), 4);
  const result<int> bad = half(7);
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.code(), errc::invalid);
  EXPECT_EQ(bad.error().system, 7);
  EXPECT_STREQ(bad.error().what, "odd");
  EXPECT_EQ(bad.value_or(-1), -1);
}

struct point {
  int x = 0;
};

HOP_TEST(base, the_value_of_an_error_stops_the_process) {
  EXPECT_EXIT(static_cast<void>(half(7).value()), KilledBySignal(SIGABRT), "hop::result: value\\(\\) of an error");
  EXPECT_EXIT(static_cast<void>(*half(7)), KilledBySignal(SIGABRT), "value\\(\\) of an error");
  EXPECT_EXIT(static_cast<void>(result<point>(errc::empty)->x), KilledBySignal(SIGABRT), "of an error");
  EXPECT_EXIT(result<void>(errc::full).value(), KilledBySignal(SIGABRT), "value\\(\\) of an error");
}

HOP_TEST(base, a_result_cannot_be_made_from_no_error) {
  EXPECT_EXIT(static_cast<void>(result<int>(errc::ok)), KilledBySignal(SIGABRT), "made from an error needs one");
}

HOP_TEST(base, a_result_of_nothing_is_success_or_an_error) {
  EXPECT_TRUE(result<void>().has_value());
  EXPECT_TRUE(result<void>(errc::ok).has_value());
  result<void>().value();
  const result<void> bad(error{errc::no_memory, 12, "none left"});
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.code(), errc::no_memory);
  EXPECT_STREQ(bad.error().what, "none left");
}

HOP_TEST(base, a_result_gives_up_what_can_only_be_moved) {
  result<std::unique_ptr<int>> r(std::make_unique<int>(3));
  EXPECT_EQ(**r, 3);
  const std::unique_ptr<int> out = std::move(r).value();
  EXPECT_EQ(*out, 3);
  EXPECT_EQ(*r, nullptr);
  EXPECT_EQ(*result<std::unique_ptr<int>>(errc::empty).value_or(std::make_unique<int>(4)), 4);
}

HOP_TEST(base, a_result_is_copied_and_assigned_with_its_value_or_error) {
  result<std::string> a("a text too long to live inside a string");
  result<std::string> b = a;
  EXPECT_EQ(*b, *a);
  b = errc::closed;
  EXPECT_EQ(b.code(), errc::closed);
  EXPECT_TRUE(a.has_value());
  b = a;
  EXPECT_EQ(*b, *a);
  const result<std::string>& same = b;
  b = same;
  EXPECT_EQ(*b, *a);
  a = std::move(b);
  EXPECT_EQ(a->size(), 39u);
}

// Counts the living, so that a value destroyed twice or never shows.
struct counted {
  explicit counted(int& live) : live_(&live) { ++*live_; }
  counted(const counted& o) : live_(o.live_) { ++*live_; }
  counted(counted&& o) noexcept : live_(o.live_) { ++*live_; }
  counted& operator=(const counted&) = delete;
  ~counted() { --*live_; }
  int* live_;
};

HOP_TEST(base, a_result_destroys_its_value_once_whatever_is_assigned_over_it) {
  prng random(hop::test::seed());
  int live = 0;
  {
    std::vector<result<counted>> all(8, result<counted>(errc::empty));
    for (int i = 0; i < 2'000; ++i) {
      result<counted>& to = all[random.below(8)];
      result<counted>& from = all[random.below(8)];
      switch (random.below(4)) {
        case 0:
          to = counted(live);
          break;
        case 1:
          to = errc::closed;
          break;
        case 2:
          to = from;
          break;
        default:
          to = result<counted>(from);
          break;
      }
      int held = 0;
      for (const result<counted>& r : all) held += r.has_value() ? 1 : 0;
      ASSERT_EQ(live, held);
    }
  }
  EXPECT_EQ(live, 0);
}

struct throws_when_moved {
  explicit throws_when_moved(int& live, int moves) : live_(&live), moves_(moves) { ++*live_; }
  throws_when_moved(throws_when_moved&& o) : live_(o.live_), moves_(o.moves_ - 1) {
    if (moves_ < 0) throw std::runtime_error("no");
    ++*live_;
  }
  ~throws_when_moved() { --*live_; }
  int* live_;
  int moves_;
};

HOP_TEST(base, a_move_that_throws_leaves_a_result_that_is_an_error_and_nothing_alive) {
  int live = 0;
  {
    result<throws_when_moved> from(throws_when_moved(live, 2));  // one move in, one into the argument, none left
    result<throws_when_moved> to(throws_when_moved(live, 9));
    EXPECT_THROW(to = std::move(from), std::runtime_error);
    EXPECT_FALSE(to.has_value());
    EXPECT_NE(to.code(), errc::ok);
  }
  EXPECT_EQ(live, 0);
}

}  // namespace
