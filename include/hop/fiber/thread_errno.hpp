// errno of the thread that runs this instruction. `errno` itself may be that of the thread the fiber came from: its address
// counts as constant, so compilers keep it over a switch of stacks.
#pragma once

#include <cerrno>

namespace hop::fiber {

namespace detail {
// The C library's own function, declared without the promise that it always answers the same.
extern int* errno_address() noexcept __asm__("__errno_location");
}  // namespace detail

// Use the reference at once; it is wrong after the next switch. The value does not travel with the fiber.
[[nodiscard]] inline int& thread_errno() noexcept { return *detail::errno_address(); }

}  // namespace hop::fiber
