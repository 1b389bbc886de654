#include <hop/base/lock_rank.hpp>

#if HOP_CHECKED && !HOP_MODEL

#include <array>
#include <cstdio>

#include <hop/base/assert.hpp>

namespace hop::base {

namespace {

// Ranks held by this thread. Small and flat: nobody holds more than a handful.
struct held_ranks {
  std::array<lock_rank, 16> rank{};
  int count = 0;
};

// Lock ranks belong to the OS thread and a lock is never held over a switch, so a plain thread_local is right here.
held_ranks& held() noexcept {
  static thread_local held_ranks h;
  return h;
}

}  // namespace

void rank_check_before_lock(lock_rank r) noexcept {
  const held_ranks& h = held();
  for (int i = 0; i < h.count; ++i) {
    const lock_rank have = h.rank[static_cast<std::size_t>(i)];
    if (have < r) continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  "lock order: %s (%d) asked for while holding %s (%d); locks are taken in rising rank", to_string(r),
                  static_cast<int>(r), to_string(have), static_cast<int>(have));
    panic(text);
  }
}

void rank_taken(lock_rank r) noexcept {
  held_ranks& h = held();
  HOP_ASSERT(h.count < static_cast<int>(h.rank.size()),
             "lock order: more ranked locks held at once than the table has room for");
  h.rank[static_cast<std::size_t>(h.count++)] = r;
}

void rank_released(lock_rank r) noexcept {
  held_ranks& h = held();
  for (int i = h.count - 1; i >= 0; --i) {
    if (h.rank[static_cast<std::size_t>(i)] != r) continue;
    for (int k = i; k + 1 < h.count; ++k) h.rank[static_cast<std::size_t>(k)] = h.rank[static_cast<std::size_t>(k + 1)];
    --h.count;
    return;
  }
  panic("lock order: a ranked lock was released by a thread that does not hold it");
}

int ranks_held() noexcept { return held().count; }

}  // namespace hop::base

#endif
