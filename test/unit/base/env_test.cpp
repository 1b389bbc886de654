#include <hop/base/env.hpp>

#include <cstdlib>
#include <string>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using ::testing::ExitedWithCode;

constexpr const char* name = "HOP_BASE_ENV_TEST";

// Sets the variable, or unsets it with nullptr, for the rest of a scope.
class variable {
 public:
  explicit variable(const char* value) {
    if (value == nullptr)
      ::unsetenv(name);
    else
      ::setenv(name, value, 1);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { ::unsetenv(name); }
};

std::optional<std::uint64_t> size_of(const char* value, env_range allowed = {0, UINT64_MAX}) {
  variable v(value);
  return env_size(name, allowed);
}

std::optional<std::size_t> choice_of(const char* value) {
  variable v(value);
  return env_choice(name, {"never", "always"});
}

bool flag_of(const char* value, bool fallback) {
  variable v(value);
  return env_flag(name, fallback);
}

HOP_TEST(base, a_variable_unset_or_empty_has_no_value) {
  for (const char* nothing : {static_cast<const char*>(nullptr), ""}) {
    EXPECT_EQ(size_of(nothing), std::nullopt);
    EXPECT_EQ(choice_of(nothing), std::nullopt);
    EXPECT_TRUE(flag_of(nothing, true));
    EXPECT_FALSE(flag_of(nothing, false));
  }
}

HOP_TEST(base, a_size_is_a_whole_number_with_a_suffix_in_powers_of_1024) {
  EXPECT_EQ(size_of("0"), 0u);
  EXPECT_EQ(size_of("64"), 64u);
  EXPECT_EQ(size_of("64k"), 64u * 1024);
  EXPECT_EQ(size_of("3M"), 3u * 1024 * 1024);
  EXPECT_EQ(size_of("2g"), std::uint64_t{2} << 30);
  EXPECT_EQ(size_of("18446744073709551615"), UINT64_MAX);
}

HOP_TEST(base, the_ends_of_a_range_are_allowed) {
  EXPECT_EQ(size_of("4", {4, 8}), 4u);
  EXPECT_EQ(size_of("8", {4, 8}), 8u);
  EXPECT_EQ(size_of("1k", {1024, 1024}), 1024u);
}

HOP_TEST(base, a_size_outside_its_range_is_refused_with_variable_value_and_range) {
  const char* text =
      "hopsack: HOP_BASE_ENV_TEST='9' is not allowed; allowed: a whole number from 4 to 8, suffixes k, m, g";
  EXPECT_EXIT(size_of("9", {4, 8}), ExitedWithCode(2), text);
  EXPECT_EXIT(size_of("3", {4, 8}), ExitedWithCode(2), "HOP_BASE_ENV_TEST='3' is not allowed; .* from 4 to 8");
  EXPECT_EXIT(size_of("8k", {4, 8}), ExitedWithCode(2), "HOP_BASE_ENV_TEST='8k' is not allowed");
}

HOP_TEST(base, what_is_no_whole_number_is_refused_not_guessed_at) {
  EXPECT_EXIT(size_of("-1"), ExitedWithCode(2), "HOP_BASE_ENV_TEST='-1' is not allowed; allowed: a whole number");
  EXPECT_EXIT(size_of("many"), ExitedWithCode(2), "='many' is not allowed");
  EXPECT_EXIT(size_of("4 "), ExitedWithCode(2), "='4 ' is not allowed");
  EXPECT_EXIT(size_of("0x10"), ExitedWithCode(2), "='0x10' is not allowed");
  EXPECT_EXIT(size_of("1.5g"), ExitedWithCode(2), "='1.5g' is not allowed");
  EXPECT_EXIT(size_of("2kb"), ExitedWithCode(2), "='2kb' is not allowed");
  EXPECT_EXIT(size_of("k"), ExitedWithCode(2), "='k' is not allowed");
}

HOP_TEST(base, a_size_too_large_for_64_bits_is_refused_with_or_without_suffix) {
  EXPECT_EXIT(size_of("18446744073709551616"), ExitedWithCode(2), "='18446744073709551616' is not allowed");
  EXPECT_EXIT(size_of("17179869184g"), ExitedWithCode(2), "='17179869184g' is not allowed");
}

HOP_TEST(base, a_choice_is_the_index_of_its_word) {
  EXPECT_EQ(choice_of("never"), 0u);
  EXPECT_EQ(choice_of("always"), 1u);
}

HOP_TEST(base, a_word_that_is_no_choice_is_refused_and_all_choices_are_named) {
  EXPECT_EXIT(choice_of("sometimes"), ExitedWithCode(2),
              "hopsack: HOP_BASE_ENV_TEST='sometimes' is not allowed; allowed: never, always\n");
  EXPECT_EXIT(choice_of("Always"), ExitedWithCode(2), "='Always' is not allowed");
  EXPECT_EXIT(choice_of("alway"), ExitedWithCode(2), "='alway' is not allowed");
}

HOP_TEST(base, a_flag_has_four_words_for_on_and_four_for_off) {
  for (const char* on : {"1", "on", "yes", "true"}) EXPECT_TRUE(flag_of(on, false)) << on;
  for (const char* off : {"0", "off", "no", "false"}) EXPECT_FALSE(flag_of(off, true)) << off;
}

HOP_TEST(base, a_flag_that_is_neither_on_nor_off_is_refused_whatever_the_fallback) {
  EXPECT_EXIT(flag_of("2", true), ExitedWithCode(2),
              "HOP_BASE_ENV_TEST='2' is not allowed; allowed: 0, off, no, false, 1, on, yes, true");
  EXPECT_EXIT(flag_of("maybe", false), ExitedWithCode(2), "='maybe' is not allowed");
}

}  // namespace
