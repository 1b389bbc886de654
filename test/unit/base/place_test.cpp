#include <hop/base/place.hpp>

#include <string>

#include "support/hop_test.hpp"

namespace {

using hop::base::place;

place called_from(place where = place::here()) { return where; }
place called_through(place where = place::here()) { return called_from(where); }

HOP_TEST(base, a_place_as_default_argument_is_that_of_the_call) {
  const auto ask = [] { return std::pair(called_from(), __LINE__); };
  const auto [where, line] = ask();
  EXPECT_EQ(where.line, line);
  EXPECT_TRUE(std::string(where.file).ends_with("place_test.cpp")) << where.file;
  EXPECT_STREQ(where.function, "operator()");
}

HOP_TEST(base, a_place_handed_on_stays_that_of_the_first_caller) {
  const int line = __LINE__ + 1;
  const place where = called_through();
  EXPECT_EQ(where.line, line);
  EXPECT_STREQ(where.function, "TestBody");
}

HOP_TEST(base, a_place_of_nowhere_is_empty_text_not_a_null_pointer) {
  constexpr place nowhere;
  EXPECT_STREQ(nowhere.file, "");
  EXPECT_STREQ(nowhere.function, "");
  EXPECT_EQ(nowhere.line, 0);
}

}  // namespace
