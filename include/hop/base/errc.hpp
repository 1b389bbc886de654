// Operating errors: what a caller may expect and survive.
#pragma once

#include <cstdint>

namespace hop::base {

enum class errc : std::uint8_t {
  ok = 0,
  closed,         // the other end is gone
  cancelled,      // the cancel scope was cancelled
  timed_out,      // the deadline passed first
  full,           // a bounded thing has no room and the call may not wait
  empty,          // nothing there and the call may not wait
  no_memory,      // the allocator or the kernel refused memory
  no_stack,       // no stack to be had: address space, map count or the configured limit
  no_thread,      // the kernel refused a thread
  not_supported,  // this kernel or build does not have it
  invalid,        // an argument outside what is allowed
};

[[nodiscard]] constexpr const char* to_string(errc e) noexcept {
  switch (e) {
    case errc::ok:
      return "ok";
    case errc::closed:
      return "closed";
    case errc::cancelled:
      return "cancelled";
    case errc::timed_out:
      return "timed out";
    case errc::full:
      return "full";
    case errc::empty:
      return "empty";
    case errc::no_memory:
      return "no memory";
    case errc::no_stack:
      return "no stack";
    case errc::no_thread:
      return "no thread";
    case errc::not_supported:
      return "not supported";
    case errc::invalid:
      return "invalid";
  }
  return "unknown error";
}

// An error with its reason in words. `what` points to static text, so errors cost no allocation and may be copied
// freely.
struct error {
  errc code = errc::ok;
  int system = 0;         // errno behind it, or 0
  const char* what = "";  // which thing was refused, and the limit that applies

  constexpr error() = default;
  constexpr error(errc c) noexcept : code(c) {}  // NOLINT: implicit, so that `return errc::closed;` reads well
  constexpr error(errc c, int sys, const char* text) noexcept : code(c), system(sys), what(text) {}
};

}  // namespace hop::base

namespace hop {
using base::errc;
using base::error;
}  // namespace hop
