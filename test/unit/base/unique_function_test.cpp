#include <hop/base/unique_function.hpp>

#include <array>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <hop/base/prng.hpp>

#include "support/hop_test.hpp"

namespace {

using hop::base::unique_function;
using ::testing::KilledBySignal;

static_assert(!std::is_copy_constructible_v<unique_function<void()>>);
static_assert(!std::is_copy_assignable_v<unique_function<void()>>);
static_assert(std::is_nothrow_move_constructible_v<unique_function<void()>>);
static_assert(!std::is_constructible_v<unique_function<void()>, int>,
              "what cannot be called is refused by the concept");
static_assert(!std::is_constructible_v<unique_function<void()>, void (*)(int)>, "nor what takes other arguments");
static_assert(!std::is_constructible_v<unique_function<int()>, void (*)()>, "nor what gives back something else");
static_assert(sizeof(unique_function<void()>) == 64, "48 bytes inside, a table, and the alignment of both");
static_assert(std::is_same_v<hop::unique_function<int()>, unique_function<int()>>);

int twice(int n) { return 2 * n; }

struct account {
  int balance = 5;
  int add(int n) { return balance += n; }
};

HOP_TEST(base, a_unique_function_calls_lambdas_functions_and_members) {
  EXPECT_EQ((unique_function<int(int)>([](int n) { return n + 1; })(1)), 2);
  unique_function<int(int)> free_function = twice;
  EXPECT_EQ(free_function(21), 42);
  EXPECT_EQ((unique_function<int(int)>(&twice)(4)), 8);
  account a;
  unique_function<int(account&, int)> member = &account::add;
  EXPECT_EQ(member(a, 2), 7);
  EXPECT_EQ((unique_function<int(account&)>(&account::balance)(a)), 7);
}

HOP_TEST(base, a_unique_function_keeps_its_state_between_calls) {
  unique_function<int()> next = [n = 0]() mutable { return ++n; };
  EXPECT_EQ(next(), 1);
  EXPECT_EQ(next(), 2);
  unique_function<int()> moved = std::move(next);
  EXPECT_EQ(moved(), 3);
}

HOP_TEST(base, arguments_and_results_pass_through_without_a_copy) {
  unique_function<std::unique_ptr<int>(std::unique_ptr<int>)> pass = [](std::unique_ptr<int> p) {
    return ++*p, std::move(p);
  };
  EXPECT_EQ(*pass(std::make_unique<int>(1)), 2);
  int n = 0;
  unique_function<int&(int&)> same = [](int& r) -> int& { return r; };
  EXPECT_EQ(&same(n), &n);
  unique_function<void()> drops = [] { return 7; };  // a result nobody wants
  drops();
}

HOP_TEST(base, an_empty_one_says_so_and_stops_the_process_when_called) {
  unique_function<void()> none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(unique_function<void()>(nullptr));
  int (*no_function)(int) = nullptr;
  EXPECT_FALSE(unique_function<int(int)>(no_function));
  int account::*no_member = nullptr;
  EXPECT_FALSE(unique_function<int(account&)>(no_member));
  EXPECT_EXIT(none(), KilledBySignal(SIGABRT), "hop::unique_function: called while empty");
}

HOP_TEST(base, a_moved_from_function_is_empty) {
  unique_function<int()> a = [] { return 1; };
  unique_function<int()> b = std::move(a);
  EXPECT_FALSE(a);  // NOLINT: the moved-from state is the claim
  EXPECT_EQ(b(), 1);
  unique_function<int()>& same = b;
  b = std::move(same);
  ASSERT_TRUE(b) << "moved onto itself it stays";
  EXPECT_EQ(b(), 1);
}

template <std::size_t Bytes>
struct sized {
  std::array<unsigned char, Bytes> fill{};
  std::size_t operator()() const {
    std::size_t sum = 0;
    for (unsigned char c : fill) sum += c;
    return sum;
  }
};

template <std::size_t Bytes>
bool lives_inside() {
  struct spy : sized<Bytes> {
    const void* operator()() const { return this; }
  };
  unique_function<const void*()> f = spy{};
  const void* at = f();
  return at >= static_cast<const void*>(&f) && at < static_cast<const void*>(&f + 1);
}

HOP_TEST(base, callables_up_to_48_bytes_live_inside_and_larger_ones_outside) {
  EXPECT_TRUE(lives_inside<1>());
  EXPECT_TRUE(lives_inside<48>());
  EXPECT_FALSE(lives_inside<49>());
  EXPECT_FALSE(lives_inside<4096>());
}

HOP_TEST(base, a_callable_of_any_size_arrives_whole) {
  sized<48> small;
  sized<1000> large;
  small.fill.fill(1);
  large.fill.fill(1);
  unique_function<std::size_t()> a = small, b = large;
  EXPECT_EQ(a(), 48u);
  EXPECT_EQ(b(), 1000u);
  std::swap(a, b);
  EXPECT_EQ(a(), 1000u);
  EXPECT_EQ(b(), 48u);
}

HOP_TEST(base, an_overaligned_callable_stays_aligned) {
  struct alignas(64) wide {
    std::uintptr_t operator()() const { return reinterpret_cast<std::uintptr_t>(this) % 64; }
  };
  unique_function<std::uintptr_t()> f = wide{};
  EXPECT_EQ(f(), 0u);
  unique_function<std::uintptr_t()> g = std::move(f);
  EXPECT_EQ(g(), 0u);
}

HOP_TEST(base, the_callable_dies_with_its_owner_by_reset_and_by_assignment) {
  auto token = std::make_shared<int>(0);
  {
    unique_function<void()> f = [token] {};
    EXPECT_EQ(token.use_count(), 2);
    unique_function<void()> g = std::move(f);
    EXPECT_EQ(token.use_count(), 2);
    g.reset();
    EXPECT_FALSE(g);
    EXPECT_EQ(token.use_count(), 1);
    g = [token, more = sized<100>{}] { static_cast<void>(more); };
    EXPECT_EQ(token.use_count(), 2);
    g = [] {};
    EXPECT_EQ(token.use_count(), 1);
    f = [token] {};
  }
  EXPECT_EQ(token.use_count(), 1);
}

HOP_TEST(base, random_moves_lose_no_callable_and_leak_none) {
  hop::base::prng random(hop::test::seed());
  auto token = std::make_shared<int>(0);
  {
    std::array<unique_function<int()>, 6> all;
    for (int i = 0; i < 5'000; ++i) {
      auto& to = all[random.below(6)];
      auto& from = all[random.below(6)];
      switch (random.below(4)) {
        case 0:
          to = [token, i] { return i; };
          break;
        case 1:
          to = [token, i, more = sized<64>{}] { return i + static_cast<int>(more()); };
          break;
        case 2:
          to = std::move(from);
          break;
        default:
          to.reset();
          break;
      }
      long held = 1;
      for (auto& f : all) held += f ? 1 : 0;
      ASSERT_EQ(token.use_count(), held);
    }
  }
  EXPECT_EQ(token.use_count(), 1);
}

HOP_TEST(base, an_exception_passes_through_a_call_and_the_function_lives_on) {
  unique_function<int(bool)> f = [](bool bad) { return bad ? throw std::runtime_error("bad") : 1; };
  EXPECT_THROW(f(true), std::runtime_error);
  EXPECT_EQ(f(false), 1);
}

}  // namespace
