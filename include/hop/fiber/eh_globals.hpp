// The exceptions a flow of control has caught and thrown, which the C++ library keeps by thread. A fiber takes its own
// along; without that `throw;` after a switch rethrows the exception of another fiber.
#pragma once

#include <hop/base/cache_line.hpp>

namespace hop::fiber {

// The layout of __cxa_eh_globals (Itanium C++ ABI, 2.2.2).
struct eh_globals {
  void* caught = nullptr;  // stack of exceptions whose handlers are active
  unsigned uncaught = 0;   // std::uncaught_exceptions()
};

namespace detail {
// The library's own function, declared without __attribute__((const)): with it, compilers keep its answer over a switch.
extern eh_globals* eh_globals_address() noexcept __asm__("__cxa_get_globals");
}  // namespace detail

// Of the thread that runs this; a worker may keep it, a fiber may not.
[[nodiscard]] inline eh_globals* thread_eh_globals() noexcept { return detail::eh_globals_address(); }

// Right before a switch on this thread: what is there belongs to `leaving`, `entering` finds its own. Nothing is left to
// do after the switch, on whichever thread that is: whoever switches back does the same.
HOP_ALWAYS_INLINE void exchange_eh_globals(eh_globals& of_thread, eh_globals& leaving,
                                           const eh_globals& entering) noexcept {
  leaving = of_thread;
  of_thread = entering;
}

}  // namespace hop::fiber
