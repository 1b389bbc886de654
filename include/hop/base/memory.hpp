// Memory that may be refused: book-keeping of the runtime asks here and tells its caller, instead of throwing.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hop/base/cache_line.hpp>

namespace hop::base {

// nullptr when refused. `align` is a power of two. The caller owns the block until deallocate() with the same `align`.
[[nodiscard]] HOP_EXPORT void* try_allocate(std::size_t bytes, std::size_t align = alignof(std::max_align_t)) noexcept;
HOP_EXPORT void deallocate(void* p, std::size_t align = alignof(std::max_align_t)) noexcept;

// For tests, before the code under test starts: the next `after` allocations of this process succeed, the following
// `count` are refused. (0, 0) ends it.
HOP_EXPORT void refuse_allocations(std::uint64_t after, std::uint64_t count) noexcept;

}  // namespace hop::base
