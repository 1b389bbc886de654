// The switch of Boost.Context, for processors without a form of our own. Include <hop/fiber/context.hpp>, which chooses.
#pragma once

#include <cstddef>

#include <hop/base/cache_line.hpp>

namespace hop::fiber {

struct context;
using context_entry = void (*)(void* payload, context& self) noexcept;

// A suspended flow of control, filled by the flow that was switched to.
struct context {
  void* handle = nullptr;         // what Boost calls fcontext_t
  context_entry entry = nullptr;  // until the first switch to it
};

namespace detail {

// Boost.Context's own symbols and layout, declared here so that users of hopsack need none of its headers.
struct boost_transfer {
  void* handle;
  void* data;
};
boost_transfer boost_jump(void* to, void* data) noexcept __asm__("jump_fcontext");
void* boost_make(void* top, std::size_t bytes, void (*first_frame)(boost_transfer)) noexcept __asm__("make_fcontext");

// Lies on the stack that was left, which stays as it is until somebody switches back.
struct boost_message {
  context* from;
  context* to;
  void* payload;
};

}  // namespace detail

// See context_x86_64.hpp: the same contract.
HOP_EXPORT void make_context(context& self, void* top, void* low, context_entry entry) noexcept;

HOP_ALWAYS_INLINE void* switch_context(context& from, context& to, void* payload) noexcept {
  detail::boost_message message{&from, &to, payload};
  const detail::boost_transfer arrived = detail::boost_jump(to.handle, &message);
  const auto* received = static_cast<const detail::boost_message*>(arrived.data);
  received->from->handle = arrived.handle;
  return received->payload;
}

}  // namespace hop::fiber
