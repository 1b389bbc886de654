// A test is a claim about a row of docs/features.md, or about a room when no row speaks of it:
//   HOP_TEST(C10, closing_the_writer_wakes_a_waiting_reader) { ... }
//   HOP_TEST(base, a_ring_pops_in_the_order_of_pushes) { ... }
// Each finished test adds a line to the file named by HOP_REPORT, from which `./dev features` takes a row's state.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#define HOP_TEST(row, claim) GTEST_TEST_(row, claim, ::testing::Test, ::testing::internal::GetTestTypeId())

// With a fixture. One type id for all, because GoogleTest refuses two fixtures in a suite and a row has as many as it likes;
// for the same reason a fixture's SetUpTestSuite is not called: use a function-local static.
#define HOP_TEST_F(fixture, row, claim) GTEST_TEST_(row, claim, fixture, ::testing::internal::GetTestTypeId())

namespace hop::test {

// The seed of the running test: HOP_TEST_SEED, else a fixed one made from the test's name. Printed when the test fails.
std::uint64_t seed();

// How many workers a runtime under test is to have: HOP_TEST_WORKERS, else 2.
std::size_t workers();

// True under `./dev test --full`: counts may be a hundred times larger.
bool full();

// n in a plain build; the smaller number where each step costs ten times as much (tsan, asan, valgrind).
std::size_t scaled(std::size_t n, std::size_t n_slow);

}  // namespace hop::test
