// Pieces and mutants: a search stops at its finding, the finding replays, planted defects are found and taken out again.
#include "support/hop_test.hpp"

#include <algorithm>

#include <hop/base/atomic.hpp>
#include <hop/base/mutant.hpp>
#include <hop/base/plain.hpp>

#include "model/crew.hpp"
#include "model/piece.hpp"

namespace hop::model {
namespace {

using std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst;

piece message_piece() {
  return {.name = "message",
          .claim = "the message comes whole",
          .body =
              [] {
                base::plain<int> data{0};
                base::atomic<int> flag{0};
                crew{}
                    .add("writer",
                         [&] {
                           if (HOP_MUTANT("message: data after the flag")) flag.store(1, memory_order_release);
                           data.set(1);
                           flag.store(1, memory_order_release);
                         })
                    .add("reader", [&] {
                      if (flag.load(memory_order_acquire) == 1) static_cast<void>(data.get());
                    });
              },
          .code_mutants = {"message: data after the flag"},
          .weaken_in = {"search_test.cpp"}};
}

HOP_TEST(model, every_order_of_a_file_becomes_a_mutant_beside_the_declared_ones) {
  const piece p = message_piece();
  std::vector<std::string> names;
  for (const mutant& m : mutants_of(p, 1)) names.push_back(m.name);
  EXPECT_EQ(names, (std::vector<std::string>{"message: data after the flag", "operator(): store release -> relaxed",
                                             "operator(): load acquire -> relaxed"}));
}

HOP_TEST(model, each_mutant_is_found_and_none_stays_planted) {
  const piece p = message_piece();
  EXPECT_FALSE(search_piece(p, nullptr, 1).finding.failure);
  for (const mutant& m : mutants_of(p, 1)) {
    const search_report r = search_piece(p, &m, 1);
    EXPECT_TRUE(r.finding.failure && r.finding.failure->starts_with("race: ")) << m.name;
    EXPECT_FALSE(search_piece(p, nullptr, 1).finding.failure) << "still planted: " << m.name;
  }
}

HOP_TEST(model, a_finding_replays_from_its_choices_with_a_line_for_every_step) {
  const piece p = message_piece();
  for (const mutant& m : mutants_of(p, 1)) {
    const search_report r = search_piece(p, &m, 1);
    bool strayed = true;
    const run_outcome again = replay_piece(p, &m, r.finding.choices, strayed);
    EXPECT_FALSE(strayed);
    EXPECT_EQ(again.failure, r.finding.failure);
    EXPECT_TRUE(again.trace.back().find("FINDING: race: ") != std::string::npos) << again.trace.back();
    EXPECT_TRUE(std::any_of(again.trace.begin(), again.trace.end(), [](const std::string& line) {
      return line.find("store #") != std::string::npos && line.find("search_test.cpp:") != std::string::npos;
    })) << "a step names its operation and its line";
  }
}

HOP_TEST(model, a_search_that_needs_more_runs_than_allowed_says_that_it_is_not_complete) {
  piece p = message_piece();
  EXPECT_TRUE(search_piece(p, nullptr, 1).complete);
  p.how.most_runs = 2;
  const search_report r = search_piece(p, nullptr, 1);
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.runs, 2u);
}

HOP_TEST(model, a_random_search_finds_the_same_from_the_same_seed) {
  piece p = message_piece();
  p.how = {.how = strategy::random, .runs = 1000};
  const mutant m = mutants_of(p, 1).front();
  const search_report a = search_piece(p, &m, 5), b = search_piece(p, &m, 5);
  ASSERT_TRUE(a.finding.failure);
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(a.finding.choices, b.finding.choices);
}

HOP_TEST(model, a_seq_cst_order_is_weakened_twice) {
  const piece p{.name = "sc",
                .claim = "x",
                .body = [] { base::atomic<int>{0}.store(1, memory_order_seq_cst); },
                .weaken_in = {"search_test.cpp"}};
  std::vector<std::string> names;
  for (const mutant& m : mutants_of(p, 1)) names.push_back(m.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"operator(): store seq_cst -> release", "operator(): store seq_cst -> relaxed"}));
}

}  // namespace
}  // namespace hop::model
