#include <hop/base/thread_word.hpp>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

HOP_TEST(base, a_thread_word_gives_back_what_this_thread_set) {
  void* const before = thread_word();
  int a = 0, b = 0;
  set_thread_word(&a);
  EXPECT_EQ(thread_word(), &a);
  set_thread_word(&b);
  EXPECT_EQ(thread_word(), &b);
  set_thread_word(before);
  EXPECT_EQ(thread_word(), before);
}

HOP_TEST(base, a_new_thread_has_no_word_whatever_others_have_set) {
  int mine = 0;
  void* const before = thread_word();
  set_thread_word(&mine);
  void* seen = &seen;
  crew c;
  c.add([&] { seen = thread_word(); });
  c.join();
  EXPECT_EQ(seen, nullptr);
  EXPECT_EQ(thread_word(), &mine);
  set_thread_word(before);
}

HOP_TEST(base, each_thread_has_a_word_of_its_own) {
  const int turns = static_cast<int>(hop::test::scaled(2'000, 200));
  atomic<int> wrong{0};
  meeting m(4);
  crew c;
  for (int t = 0; t < 4; ++t) {
    c.add([&] {
      for (int i = 0; i < turns; ++i) {
        int mine = i;
        set_thread_word(&mine);
        m.arrive();  // all have set theirs
        if (thread_word() != &mine || *static_cast<int*>(thread_word()) != i) wrong.fetch_add(1);
        m.arrive();  // all have looked
      }
    });
  }
  c.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
