// What needs a thread's stack runs in the large class; what overflows is named.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 with sanitizers, inside std::regex
#endif
#include <unistd.h>
#include <csignal>
#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include <hop/fiber/overflow.hpp>

#include "fiber_fixture.hpp"
#include "process_memory.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::fiber;
using namespace hop::fiber::test;

// About `frame` bytes a level; the compiler may neither fold it nor turn it into a loop.
[[gnu::noinline]] std::size_t recurse(std::size_t levels) {
  volatile char frame[1000];
  frame[0] = static_cast<char>(levels);
  frame[999] = 1;
  const std::size_t below = levels == 0 ? 0 : recurse(levels - 1);
  return below + static_cast<std::size_t>(frame[999]);
}

[[gnu::noinline]] long megabyte_of_locals() {
  volatile char block[1024 * 1024];
  for (std::size_t i = 0; i < sizeof block; i += 512) block[i] = 1;
  long sum = 0;
  for (std::size_t i = 0; i < sizeof block; i += 512) sum += block[i];
  return sum;
}

void overflow(stack_class cls, const char* name) {
  install_overflow_handler();
  auto on = signal_stack::put_on();
  ground g;
  g.run([] { recurse(100'000'000); }, cls, name);
}

HOP_TEST(E31, the_default_stack_is_256_kib_and_the_large_one_8_mib) {
  EXPECT_EQ(default_stack_bytes, 256u * 1024);
  EXPECT_EQ(large_stack_bytes, 8u * 1024 * 1024);
  EXPECT_EQ(guard_bytes(stack_class::small), 16u * 1024);
  ground g;
  std::size_t small = 0, large = 0;
  g.run([&] { small = recurse(150); });
  g.run([&] { large = recurse(HOP_ASAN || HOP_TSAN ? 4'000 : 7'000); }, stack_class::large);
  EXPECT_EQ(small, 151u);
  EXPECT_GE(large, 4'001u);
}

HOP_TEST(E31, only_touched_pages_of_a_large_stack_cost_memory) {
  ground g;
  fiber* self = nullptr;
  g.run([] {}, stack_class::large);
  const std::size_t before = status_bytes("VmRSS");
  std::vector<fiber*> all;
  for (int i = 0; i < 20; ++i) {
    fiber& f = g.make([&] { resume(*self, g.here); }, stack_class::large);
    self = &f;
    g.go(f);
    all.push_back(&f);
  }
  const std::size_t idle = status_bytes("VmRSS") - before;
  if (!HOP_ASAN && !HOP_TSAN) {  // those shadow it
    EXPECT_LT(idle, 20u * 16 * 1024) << "20 large stacks of 8 MiB";
  }
  for (fiber* f : all) {
    self = f;
    g.go(*f);
    g.end(*f);
  }
  const std::size_t unused = status_bytes("VmRSS");
  g.run([] { recurse(3'000); }, stack_class::large);
  if (!HOP_ASAN && !HOP_TSAN) {
    EXPECT_GT(status_bytes("VmRSS"), unused + 2 * 1024 * 1024);
    g.cache.flush();
    g.pool.trim();
    EXPECT_LT(status_bytes("VmRSS"), unused + 1024 * 1024) << "a trim gives the depth back";
  }
}

HOP_TEST(B30, a_megabyte_of_locals_fits_the_large_class) {
  ground g;
  long sum = 0;
  g.run([&] { sum = megabyte_of_locals(); }, stack_class::large);
  EXPECT_EQ(sum, 2048);
}

// libstdc++'s regex recurses for every character.
HOP_TEST(B30, std_regex_over_a_long_line_runs_in_the_large_class) {
  ground g;
  const std::string line(HOP_ASAN || HOP_TSAN ? 2'000 : 10'000, 'a');
  bool matched = false;
  g.run([&] { matched = std::regex_match(line, std::regex("(a|b)*")); }, stack_class::large);
  EXPECT_TRUE(matched);
}

HOP_TEST(B30, the_same_regex_in_the_default_class_is_named_as_an_overflow) {
  const auto match = [] {
    install_overflow_handler();
    auto on = signal_stack::put_on();
    ground g;
    const std::string line(100'000, 'a');
    g.run([&] { (void)std::regex_match(line, std::regex("(a|b)*")); }, stack_class::small, "regex");
  };
  EXPECT_EXIT(match(), ::testing::KilledBySignal(SIGABRT),
              "hopsack: stack overflow in fiber 'regex'.*use the large class");
}

HOP_TEST(C2, an_overflow_names_the_fiber_its_stack_and_the_remedy) {
  EXPECT_EXIT(
      overflow(stack_class::small, "deep"), ::testing::KilledBySignal(SIGABRT),
      "hopsack: stack overflow in fiber 'deep' \\(id [0-9]+\\): stack of 262144 bytes \\(class small\\) exhausted at "
      "0x[0-9a-f]+; use the large class \\(8388608 bytes\\) or raise HOP_STACK_BYTES");
  EXPECT_EXIT(
      overflow(stack_class::large, "deeper"), ::testing::KilledBySignal(SIGABRT),
      "stack overflow in fiber 'deeper' .*8388608 bytes \\(class large\\) exhausted .*; raise HOP_LARGE_STACK_BYTES");
}

#if !HOP_ASAN && !HOP_TSAN
HOP_TEST(C2, a_fault_that_is_no_overflow_goes_where_it_went_before) {
  const auto null_write = [] {
    install_overflow_handler();
    auto on = signal_stack::put_on();
    *static_cast<volatile int*>(nullptr) = 1;
  };
  EXPECT_EXIT(null_write(), ::testing::KilledBySignal(SIGSEGV), "");
  const auto with_old_handler = [] {
    std::signal(SIGSEGV, [](int) { ::_exit(7); });
    install_overflow_handler();
    *static_cast<volatile int*>(nullptr) = 1;
  };
  EXPECT_EXIT(with_old_handler(), ::testing::ExitedWithCode(7), "");
  const auto stray_pointer = [] {
    install_overflow_handler();
    ground g;
    fiber& f = g.make([] {});
    *reinterpret_cast<volatile char*>(f.where().low) = 1;  // from the thread's own stack
  };
  EXPECT_EXIT(stray_pointer(), ::testing::KilledBySignal(SIGSEGV), "");
}
#endif

}  // namespace
