// The reduction loses nothing, and the memory allows what C++20 allows: both against other ways to come to the answer.
#include "support/hop_test.hpp"

#include <algorithm>

#include "explore.hpp"
#include "little_axioms.hpp"
#include "little_program.hpp"

namespace hop::model {
namespace {

std::string difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::string text;
  for (const std::string& s : a) {
    if (!b.contains(s)) text += "  only the first: " + s + "\n";
  }
  for (const std::string& s : b) {
    if (!a.contains(s)) text += "  only the second: " + s + "\n";
  }
  return text;
}

HOP_TEST(model, sleep_sets_give_exactly_the_outcomes_of_the_cpp20_axioms) {
  base::prng random{test::seed()};
  const int programs = test::full() ? 40'000 : 4'000;
  for (int n = 0; n < programs; ++n) {
    const little_program p = random_accesses(random, 4 + random.below(4));
    const auto ours = explore_all([&] { return p.run(); }).outcomes;
    const auto axioms = outcomes_by_axioms(p);
    ASSERT_EQ(ours, axioms) << p.text() << difference(ours, axioms);
  }
}

HOP_TEST(model, sleep_sets_lose_no_outcome_of_a_search_without_reduction) {
  base::prng random{test::seed()};
  const int programs = test::full() ? 5'000 : 500;
  int compared = 0;
  for (int n = 0; n < programs; ++n) {
    const little_program p = random_program(random, 4 + random.below(3));
    const auto reduced = explore_all([&] { return p.run(); });
    const auto brute = explore_brute([&] { return p.run(); });
    // A run in which nobody can go on ends there, though a sleeper might still return for no reason: with such a finding the
    // sets may differ, but both must have it.
    ASSERT_EQ(reduced.findings == 0, brute.findings == 0) << p.text();
    if (brute.findings != 0) continue;
    ++compared;
    ASSERT_EQ(reduced.outcomes, brute.outcomes) << p.text() << difference(reduced.outcomes, brute.outcomes);
  }
  EXPECT_GT(compared, programs / 2);
}

HOP_TEST(model, random_runs_end_in_outcomes_that_the_search_has_too) {
  base::prng random{test::seed()};
  for (int n = 0; n < 100; ++n) {
    const little_program p = random_program(random, 6);
    const auto all = explore_all([&] { return p.run(); });
    if (all.findings != 0) continue;
    random_chooser sampled{random.next(), 200};
    for (const std::string& s : explore(sampled, [&] { return p.run(); }).outcomes)
      ASSERT_TRUE(all.outcomes.contains(s)) << p.text() << s;
  }
}

}  // namespace
}  // namespace hop::model
