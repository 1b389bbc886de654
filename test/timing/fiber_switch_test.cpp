// Our switch against Boost.Context's in the same run.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <boost/context/detail/fcontext.hpp>
#include <hop/fiber/context.hpp>
#include <hop/fiber/fiber.hpp>

#include "support/hop_test.hpp"

namespace {

using namespace hop::fiber;
namespace peer = boost::context::detail;

constexpr std::size_t stack_size = 64 * 1024;
constexpr std::uintptr_t rounds = 3'000'000;

context home, away;

void come_back(void* payload, context& self) noexcept {
  for (;;) payload = switch_context(self, home, static_cast<char*>(payload) + 1);
}
void peer_comes_back(peer::transfer_t t) {
  for (;;) t = peer::jump_fcontext(t.fctx, static_cast<char*>(t.data) + 1);
}

template <class F>
double ns_per_switch(F f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() /
         static_cast<double>(2 * rounds);
}

double ours(void* top, void* low) {
  make_context(away, top, low, come_back);
  void* p = nullptr;
  const double ns = ns_per_switch([&] {
    for (std::uintptr_t i = 0; i < rounds; ++i) p = switch_context(home, away, p);
  });
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p), rounds);
  return ns;
}

double boosts(void* top) {
  peer::transfer_t t{peer::make_fcontext(top, stack_size, peer_comes_back), nullptr};
  const double ns = ns_per_switch([&] {
    for (std::uintptr_t i = 0; i < rounds; ++i) t = peer::jump_fcontext(t.fctx, t.data);
  });
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data), rounds);
  return ns;
}

handover come_back_whole(fiber& self, void* payload) {
  auto* to = static_cast<fiber*>(self.arg());
  eh_globals& of_thread = *thread_eh_globals();  // this one stays on its thread
  for (;;) payload = resume(self, *to, static_cast<char*>(payload) + 1, of_thread);
}

// resume() with everything a fiber takes along, as a worker calls it. The fiber never ends, so its stack is not given back.
double whole(stack_cache& cache) {
  static eh_globals& mine = *thread_eh_globals();
  static thread_fiber here("timing");
  auto made = fiber::create(cache, {}, come_back_whole, &here);
  EXPECT_TRUE(made.has_value());
  void* p = nullptr;
  const double ns = ns_per_switch([&] {
    for (std::uintptr_t i = 0; i < rounds; ++i) p = resume(here, **made, p, mine);
  });
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p), rounds);
  return ns;
}

HOP_TEST(C4, a_switch_costs_at_most_six_tenths_of_boost_context) {
  const auto memory = std::make_unique<std::byte[]>(stack_size + 16);
  void* const low = memory.get();
  void* const top =
      reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory.get() + stack_size) & ~std::uintptr_t{15});
  static auto* pool = new stack_pool;  // outlives its stacks
  static auto* cache = new stack_cache(*pool);
  std::array<double, 5> ratio{};
  for (double& r : ratio) {
    const double mine = ours(top, low);
    const double boost = boosts(top);
    r = mine / boost;
    std::printf("switch %.2f ns, Boost.Context %.2f ns, ratio %.2f; whole resume %.2f ns\n", mine, boost, r,
                whole(*cache));
  }
  std::sort(ratio.begin(), ratio.end());
  if (HOP_SWITCH_BOOST) {
    EXPECT_LE(ratio[2], 1.5) << "the portable form is Boost's with a little around it";
  } else {
    EXPECT_LE(ratio[2], 0.6);
  }
}

}  // namespace
