#include <hop/fiber/context.hpp>

#if HOP_SWITCH_BOOST

#include <cstdint>

#include <hop/base/assert.hpp>

namespace hop::fiber {
namespace {

// noexcept: an exception that would leave a fiber ends the process here, not in the unwinder's guesses below.
void first_frame(detail::boost_transfer arrived) noexcept {
  // The return address is declared undefined: backtraces end here.
#if defined(__x86_64__)
  asm volatile(".cfi_undefined rip");
#elif defined(__aarch64__)
  asm volatile(".cfi_undefined x30");
#endif
  auto* message = static_cast<detail::boost_message*>(arrived.data);
  const context_entry entry = message->to->entry;
  message->from->handle = arrived.handle;
  entry(message->payload, *message->to);
  HOP_ASSERT(false, "the entry function of a fiber does not return");
}

}  // namespace

void make_context(context& self, void* top, void* low, context_entry entry) noexcept {
  HOP_ASSERT(reinterpret_cast<std::uintptr_t>(top) % 16 == 0, "a stack starts at a multiple of 16");
  HOP_ASSERT(low < top, "a stack has room");
  const auto size = static_cast<std::size_t>(static_cast<std::byte*>(top) - static_cast<std::byte*>(low));
  self.handle = detail::boost_make(top, size, first_frame);
  self.entry = entry;
}

}  // namespace hop::fiber

#endif
