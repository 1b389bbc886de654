// The fiber that runs this: its id, its name, what it says about itself; and stepping back for others.
#pragma once

#include <cstdint>
#include <string_view>

#include <hop/base/cache_line.hpp>

namespace hop::this_fiber {

// Of the task that runs here; never used twice in a runtime. 0 on a thread that is no worker.
[[nodiscard]] HOP_EXPORT std::uint64_t id() noexcept;

// For reports: static text, until the task ends.
HOP_EXPORT void status(const char* text) noexcept;
[[nodiscard]] HOP_EXPORT const char* status() noexcept;
// The first 22 bytes are kept, until the task ends.
HOP_EXPORT void name(std::string_view text) noexcept;
[[nodiscard]] HOP_EXPORT std::string_view name() noexcept;

// Lets others run that are ready, in turn; on a plain thread it is the thread that steps back.
HOP_EXPORT void yield();

}  // namespace hop::this_fiber
