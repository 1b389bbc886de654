// The raw switch, without the words sanitizers need to hear: those see it through fiber_test.cpp.
#include <hop/base/sanitizers.hpp>
#if !HOP_ASAN && !HOP_TSAN

#include <hop/fiber/context.hpp>

#include <cfenv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "support/hop_test.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using hop::fiber::context;
using hop::fiber::make_context;
using hop::fiber::switch_context;

constexpr std::size_t stack_size = 64 * 1024;

struct raw_stack {
  std::unique_ptr<std::byte[]> memory = std::make_unique<std::byte[]>(stack_size);
  void* low() { return memory.get(); }
  void* top() {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory.get() + stack_size) & ~std::uintptr_t{15});
  }
};

// Flows know each other through globals here: a raw context has no argument but its payload.
context home;
context other;

void add_one_forever(void* payload, context& self) noexcept {
  for (;;) payload = switch_context(self, home, static_cast<char*>(payload) + 1);
}

HOP_TEST(C4, a_payload_arrives_in_both_directions) {
  raw_stack s;
  make_context(other, s.top(), s.low(), add_one_forever);
  for (std::uintptr_t i = 0; i < 10'000; ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(switch_context(home, other, reinterpret_cast<void*>(i))), i + 1);
  }
}

// Many values alive over a switch: more than there are registers, whole numbers and floats.
template <class T>
[[gnu::noinline]] T mix(T x, T step, int rounds, context& from, context& to) {
  T a = x, b = x + step, c = b + step, d = c + step, e = d + step, f = e + step, g = f + step, h = g + step;
  T i = h + step, j = i + step, k = j + step, l = k + step, m = l + step, n = m + step, o = n + step, p = o + step;
  for (int r = 0; r < rounds; ++r) {
    switch_context(from, to, nullptr);
    a += b, c += d, e += f, g += h, i += j, k += l, m += n, o += p;
  }
  return a + 2 * c + 3 * e + 5 * g + 7 * i + 11 * k + 13 * m + 17 * o + b + d + f + h + j + l + n + p;
}

void spoil_registers(void*, context& self) noexcept {
  for (;;) {
    mix<long>(-77, 1313, 1, self, home);
    mix<double>(0.3, -1.7, 1, self, home);
    mix<long double>(2.5L, 0.125L, 1, self, home);
  }
}

void return_at_once(void*, context& self) noexcept {
  for (;;) switch_context(self, home, nullptr);
}

HOP_TEST(C4, whole_numbers_and_floats_survive_a_switch_to_a_flow_that_spoils_every_register) {
  raw_stack s, t;
  context still;
  make_context(still, t.top(), t.low(), return_at_once);
  make_context(other, s.top(), s.low(), spoil_registers);
  EXPECT_EQ(mix<long>(5, 3, 50, home, other), mix<long>(5, 3, 50, home, still));
  EXPECT_EQ(mix<double>(0.7, 0.11, 50, home, other), mix<double>(0.7, 0.11, 50, home, still));
  EXPECT_EQ(mix<long double>(0.7L, 0.11L, 50, home, other), mix<long double>(0.7L, 0.11L, 50, home, still));
  EXPECT_EQ(mix<long>(5, 3, 2, home, still), 6925);  // by hand, so that both are not wrong alike
}

// A frame with a variable-length part, over-aligned: compilers address it through a second base register.
[[gnu::noinline]] long odd_frame(std::size_t n, context& from, context& to) {
  alignas(64) volatile long fixed[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  auto* flexible = static_cast<volatile char*>(__builtin_alloca(n));
  for (std::size_t i = 0; i < n; ++i) flexible[i] = static_cast<char>(i);
  switch_context(from, to, nullptr);
  long sum = reinterpret_cast<std::uintptr_t>(&fixed) % 64 == 0 ? 0 : 1'000'000;
  for (std::size_t i = 0; i < 8; ++i) sum += fixed[i];
  for (std::size_t i = 0; i < n; ++i) sum += flexible[i] == static_cast<char>(i) ? 1 : 1'000'000;
  return sum;
}

HOP_TEST(C4, a_frame_with_alloca_and_over_aligned_locals_survives_a_switch) {
  raw_stack s;
  make_context(other, s.top(), s.low(), spoil_registers);
  for (std::size_t n = 1; n < 200; n += 7) EXPECT_EQ(odd_frame(n, home, other), 36 + static_cast<long>(n));
}

std::uintptr_t seen_alignment = 1;
void look_at_alignment(void*, context& self) noexcept {
  // The ABI: at a call the stack is a multiple of 16, so a 16-byte aligned local needs no adjusting and SSE stores work.
  alignas(16) volatile float lanes[4] = {1, 2, 3, 4};
  seen_alignment = reinterpret_cast<std::uintptr_t>(&lanes) % 16;
  seen_alignment += reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 16;
  for (;;) switch_context(self, home, nullptr);
}

HOP_TEST(C1, a_new_stack_is_aligned_to_16_bytes) {
  raw_stack s;
  for (std::size_t down = 0; down < 256; down += 16) {
    make_context(other, static_cast<std::byte*>(s.top()) - down, s.low(), look_at_alignment);
    seen_alignment = 1;
    switch_context(home, other, nullptr);
    EXPECT_EQ(seen_alignment, 0u);
  }
}

#if defined(__x86_64__)
unsigned mxcsr_inside = 0;
void look_at_mxcsr(void*, context& self) noexcept {
  for (;;) {
    mxcsr_inside = _mm_getcsr();
    switch_context(self, home, nullptr);
  }
}

// Boost's form keeps the control words by flow; there only our own must come back.
HOP_TEST(C4, the_rounding_mode_is_ours_after_a_switch_and_the_fast_form_never_touches_it) {
  raw_stack s;
  make_context(other, s.top(), s.low(), look_at_mxcsr);
  for (const int mode : {FE_UPWARD, FE_TOWARDZERO, FE_DOWNWARD, FE_TONEAREST}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const unsigned before = _mm_getcsr() & ~0x3fu;  // without the sticky exception flags
    switch_context(home, other, nullptr);
    EXPECT_EQ(_mm_getcsr() & ~0x3fu, before);
    if (!HOP_SWITCH_BOOST) {
      EXPECT_EQ(mxcsr_inside & ~0x3fu, before);
    }
    EXPECT_EQ(std::fegetround(), mode);
  }
}
#endif

// A chain: flow i starts flow i+1 and waits; the last turns round and everything comes back.
constexpr std::size_t chain_length = 500;
std::vector<context> chain(chain_length + 1);
std::vector<raw_stack>* chain_stacks = nullptr;
void link_of_chain(void* payload, context& self) noexcept {
  const std::size_t i = static_cast<std::size_t>(&self - chain.data());
  if (i < chain_length) {
    make_context(chain[i + 1], (*chain_stacks)[i].top(), (*chain_stacks)[i].low(), link_of_chain);
    payload = switch_context(self, chain[i + 1], static_cast<char*>(payload) + 1);
  }
  for (;;) payload = switch_context(self, chain[i - 1], static_cast<char*>(payload) + 1);
}

HOP_TEST(C4, a_chain_of_500_flows_unwinds_in_order) {
  std::vector<raw_stack> stacks(chain_length);
  chain_stacks = &stacks;
  raw_stack first;
  make_context(chain[1], first.top(), first.low(), link_of_chain);
  const void* got = switch_context(chain[0], chain[1], nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(got), 2 * chain_length - 1);
}

// The red zone: a leaf that keeps values below its stack pointer while it switches.
[[gnu::noinline]] std::uint64_t leaf(std::uint64_t x, context& from, context& to) {
  volatile std::uint64_t below[12];
  for (std::uint64_t i = 0; i < 12; ++i) below[i] = x + i;
  switch_context(from, to, nullptr);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 12; ++i) sum += below[i];
  return sum;
}

HOP_TEST(C4, values_below_the_stack_pointer_of_a_leaf_survive) {
  raw_stack s;
  make_context(other, s.top(), s.low(), spoil_registers);
  for (std::uint64_t x = 0; x < 100; ++x) EXPECT_EQ(leaf(x, home, other), 12 * x + 66);
}

}  // namespace

#endif
