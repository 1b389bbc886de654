// What an event ring holds: 32 bytes that say when, what, who and two numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hop::obs {

// The one list of kinds: X(name, meaning of a, meaning of b). Numbers are given in order, so a room adds at the end.
#define HOP_EVENT_KINDS(X)                \
  X(none, "", "")                         \
  X(mark, "number", "number")             \
  X(step_begin, "step", "")               \
  X(step_end, "step", "right")            \
  X(fiber_created, "fiber", "stack")      \
  X(fiber_resumed, "fiber", "from fiber") \
  X(fiber_parked, "fiber", "")            \
  X(fiber_unparked, "fiber", "by fiber")  \
  X(fiber_done, "fiber", "")              \
  X(stacks_trimmed, "stacks", "bytes")

enum class event_kind : std::uint16_t {
#define HOP_EVENT_ENUM(name, a, b) name,
  HOP_EVENT_KINDS(HOP_EVENT_ENUM)
#undef HOP_EVENT_ENUM
};

struct event_kind_info {
  std::string_view name;
  std::string_view a;
  std::string_view b;
};

#define HOP_EVENT_INFO(name, a, b) event_kind_info{#name, a, b},
inline constexpr std::array event_kind_list{HOP_EVENT_KINDS(HOP_EVENT_INFO)};
#undef HOP_EVENT_INFO

// A number that is in no list (a ring written by a newer program) is named "unknown".
[[nodiscard]] constexpr event_kind_info info_of(event_kind k) noexcept {
  const auto i = static_cast<std::size_t>(k);
  return i < event_kind_list.size() ? event_kind_list[i] : event_kind_info{"unknown", "", ""};
}

struct event {
  std::uint64_t time_ns = 0;
  event_kind kind = event_kind::none;
  std::uint16_t worker = 0;
  std::uint32_t small = 0;  // a third number, where 32 bits do
  std::uint64_t a = 0;
  std::uint64_t b = 0;

  bool operator==(const event&) const = default;
};
static_assert(sizeof(event) == 32);

}  // namespace hop::obs
