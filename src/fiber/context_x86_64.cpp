#include <hop/fiber/context.hpp>

#if !HOP_SWITCH_BOOST

#include <cstdint>

#include <hop/base/assert.hpp>

// The first frame of every fiber. make_context() left the entry function in rbx; the payload comes in rdx as from any
// switch, and rsi still points to the context switched to. The return address is declared undefined, so that unwinders
// and debuggers end here instead of guessing; rbp is 0 for those that follow frame pointers.
asm(R"(
        .pushsection .text
        .p2align 4
        .local  hop_fiber_first_frame
        .type   hop_fiber_first_frame, @function
hop_fiber_first_frame:
        .cfi_startproc
        .cfi_undefined rip
        endbr64
        xorl    %ebp, %ebp
        movq    %rdx, %rdi
        callq   *%rbx
        ud2
        .cfi_endproc
        .size   hop_fiber_first_frame, . - hop_fiber_first_frame
        .popsection
)");

extern "C" {
[[gnu::visibility("hidden")]] extern const char hop_fiber_first_frame[];
}

namespace hop::fiber {

void make_context(context& self, void* top, void* low, context_entry entry) noexcept {
  HOP_ASSERT(reinterpret_cast<std::uintptr_t>(top) % 16 == 0, "a stack starts at a multiple of 16");
  HOP_ASSERT(low < top, "a stack has room");
  self.sp = top;
  self.ip = const_cast<char*>(hop_fiber_first_frame);
  self.bp = nullptr;
  self.bx = reinterpret_cast<void*>(entry);
}

}  // namespace hop::fiber

#endif
