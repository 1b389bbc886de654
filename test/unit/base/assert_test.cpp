#include <hop/base/assert.hpp>

#include <unistd.h>

#include <csignal>
#include <string>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

constexpr int line_of_the_panic = __LINE__ + 1;
[[noreturn]] void gives_up() { panic("out of ideas"); }

HOP_TEST(base, a_panic_says_what_and_where_and_ends_the_process_by_sigabrt) {
  const std::string line = std::to_string(line_of_the_panic);
  EXPECT_EXIT(gives_up(), KilledBySignal(SIGABRT),
              "hopsack: out of ideas at .*assert_test.cpp:" + line + " in gives_up\n");
}

HOP_TEST(base, a_panic_may_be_given_the_place_of_another) {
  EXPECT_EXIT(panic("seen from afar", {"elsewhere.cpp", 123, "that_function"}), KilledBySignal(SIGABRT),
              "hopsack: seen from afar at elsewhere.cpp:123 in that_function\n");
}

HOP_TEST(base, a_panic_with_a_long_text_is_cut_but_still_says_where) {
  const std::string text(5'000, 'x');
  EXPECT_EXIT(panic(text.c_str(), {"elsewhere.cpp", 123, "that_function"}), KilledBySignal(SIGABRT),
              "hopsack: x+ at elsewhere.cpp:123 in that_function\n");
}

HOP_TEST(base, a_panic_with_a_long_place_overruns_nothing) {
  const std::string path(5'000, 'y');
  EXPECT_EXIT(panic("deep down", {path.c_str(), 1, path.c_str()}), KilledBySignal(SIGABRT), "hopsack: deep down at y+");
}

void panics_in_a_handler(int) { panic("inside a signal handler"); }

HOP_TEST(base, a_panic_works_in_a_signal_handler) {
  EXPECT_EXIT((::signal(SIGUSR1, panics_in_a_handler), ::raise(SIGUSR1)), KilledBySignal(SIGABRT),
              "hopsack: inside a signal handler at ");
}

HOP_TEST(base, a_panic_with_nobody_to_tell_still_ends_the_process) {
  EXPECT_EXIT((::close(STDERR_FILENO), gives_up()), KilledBySignal(SIGABRT), "");
}

void asserts(int left, int right) { HOP_ASSERT(left == right, "both sides agree"); }

HOP_TEST(base, an_assert_is_on_in_every_build_and_shows_its_condition_and_line) {
  EXPECT_EXIT(asserts(1, 2), KilledBySignal(SIGABRT),
              "hopsack: both sides agree \\[left == right\\] at .*assert_test.cpp:[0-9]+ in asserts\n");
  asserts(2, 2);
}

HOP_TEST(base, an_assert_looks_at_its_condition_once) {
  int looks = 0;
  HOP_ASSERT(++looks == 1, "counted");
  EXPECT_EQ(looks, 1);
}

HOP_TEST(base, a_debug_assert_is_on_where_the_build_is_checked_and_free_where_it_is_not) {
  int looks = 0;
  HOP_DEBUG_ASSERT(++looks == 1, "counted");
  EXPECT_EQ(looks, checked ? 1 : 0);
  const auto wrong = [] {
    HOP_DEBUG_ASSERT(1 == 2, "numbers agree");
    std::_Exit(0);
  };
  if constexpr (checked) {
    EXPECT_EXIT(wrong(), KilledBySignal(SIGABRT), "numbers agree \\[1 == 2\\]");
  } else {
    EXPECT_EXIT(wrong(), ExitedWithCode(0), "");
  }
}

}  // namespace
