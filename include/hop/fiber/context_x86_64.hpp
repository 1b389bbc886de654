// The switch in a dozen instructions. Include <hop/fiber/context.hpp>, which chooses the form.
#pragma once

#include <cstddef>

#include <hop/base/cache_line.hpp>

namespace hop::fiber {

// A suspended flow of control. Four words, filled by the switch away from it. rbx is among them because clang addresses
// the locals of some functions through it and then ignores that an asm statement clobbers it.
struct context {
  void* sp = nullptr;
  void* ip = nullptr;
  void* bp = nullptr;
  void* bx = nullptr;
};
static_assert(sizeof(context) == 32 && offsetof(context, ip) == 8 && offsetof(context, bp) == 16 &&
              offsetof(context, bx) == 24);

// What runs first on a new stack; `payload` is that of the switch that starts it, `self` what it switched to. Never returns.
using context_entry = void (*)(void* payload, context& self) noexcept;

// Makes `self` a flow that begins with entry(payload, self) on the stack whose highest address is `top` (16-byte aligned) and
// whose lowest usable one is `low`. Backtraces end there; an exception that would leave `entry` ends the process.
HOP_EXPORT void make_context(context& self, void* top, void* low, context_entry entry) noexcept;

// Leaves for `to` and returns when somebody switches to `from`, with the payload of that switch; perhaps on another OS
// thread. No push and no call, so the red zone of the leaving function stays whole; a jump at the end, because a return
// to an address the processor did not predict costs 6 ns. MXCSR and the x87 control word belong to the thread and are
// not touched.
HOP_ALWAYS_INLINE void* switch_context(context& from, context& to, void* payload) noexcept {
  context* leave = &from;
  context* enter = &to;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%%rdi)\n\t"
      "movq %%rax, 8(%%rdi)\n\t"
      "movq %%rbp, 16(%%rdi)\n\t"
      "movq %%rbx, 24(%%rdi)\n\t"
      "movq 0(%%rsi), %%rsp\n\t"
      "movq 16(%%rsi), %%rbp\n\t"
      "movq 24(%%rsi), %%rbx\n\t"
      "jmpq *8(%%rsi)\n\t"
      ".p2align 3\n"
      "1:\n\t"
#if defined(__CET__)
      "endbr64\n\t"
#endif
      : "+D"(leave), "+S"(enter), "+d"(payload)
      :
      : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
#if defined(__AVX512F__)
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",
        "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
        "mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)",
        "st(6)", "st(7)");
  return payload;
}

}  // namespace hop::fiber
