#include <hop/base/errc.hpp>

#include <cerrno>
#include <set>
#include <string>
#include <type_traits>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;

static_assert(std::is_trivially_copyable_v<error>, "errors cost no allocation and may be copied freely");
static_assert(std::is_same_v<hop::errc, errc> && std::is_same_v<hop::error, error>);

HOP_TEST(base, every_error_has_words_of_its_own) {
  std::set<std::string> words;
  constexpr auto last = static_cast<int>(errc::invalid);
  for (int i = 0; i <= last; ++i) {
    const std::string text = to_string(static_cast<errc>(i));
    EXPECT_TRUE(words.insert(text).second) << text;
    EXPECT_NE(text, "unknown error") << i;
  }
  EXPECT_STREQ(to_string(errc::ok), "ok");
  EXPECT_STREQ(to_string(errc::timed_out), "timed out");
  EXPECT_STREQ(to_string(static_cast<errc>(last + 1)), "unknown error");
}

HOP_TEST(base, an_error_made_from_a_code_has_no_reason_and_no_null_text) {
  const error e = errc::closed;
  EXPECT_EQ(e.code, errc::closed);
  EXPECT_EQ(e.system, 0);
  EXPECT_STREQ(e.what, "");
  EXPECT_EQ(error{}.code, errc::ok);
}

HOP_TEST(base, an_error_carries_its_errno_and_its_words) {
  constexpr error e{errc::no_thread, EAGAIN, "the kernel refused"};
  EXPECT_EQ(e.code, errc::no_thread);
  EXPECT_EQ(e.system, EAGAIN);
  EXPECT_STREQ(e.what, "the kernel refused");
}

}  // namespace
