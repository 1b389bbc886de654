// A runtime with as many workers as the test run asks for; at its end nothing of it may be left.
#pragma once

#include <gtest/gtest.h>

#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>

#include "support/hop_test.hpp"

namespace hop::test {

class with_runtime : public ::testing::Test {
 protected:
  with_runtime() : rt({.workers = hop::test::workers()}), before_(hop::runtime::use(&rt)) {}
  ~with_runtime() override { hop::runtime::use(before_); }

  void TearDown() override {
    const auto s = rt.statistics();
    EXPECT_EQ(s[obs::counter::parks], s[obs::counter::unparks]) << "a fiber is still parked";
  }

  hop::runtime rt;

 private:
  hop::runtime* before_;
};

}  // namespace hop::test
