// The checker's memory: every location keeps its stores in modification order; a thread reads any that it may still read.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "model/atomic.hpp"
#include "model/knowledge.hpp"

namespace hop::model {

// One store. Whoever acquires it learns `carried`.
struct store_record {
  word value = 0;
  thread_index by = 0;
  knowledge carried;
};

// What one thread knows, and what its fences will make of it.
struct view_of_thread {
  knowledge current;           // orders its next reads and writes
  knowledge read_relaxed;      // becomes known at its next acquire fence
  knowledge at_release_fence;  // is carried by its relaxed stores
};

struct location {
  std::vector<store_record> stores;  // modification order: the order of execution (see README, limits)
  bool mutex_held = false;
  thread_index mutex_owner = 0;
  knowledge mutex_carried;
  std::uint32_t kernel_seen = 0;  // what a futex call on this word has seen, every later one sees
};

class memory {
 public:
  memory();  // begins with the static locations
  location_id add(word initial, thread_index by, const view_of_thread& view);
  location& at(location_id x) { return locations_[x]; }
  [[nodiscard]] const location& at(location_id x) const { return locations_[x]; }
  [[nodiscard]] std::uint32_t newest(location_id x) const {
    return static_cast<std::uint32_t>(locations_[x].stores.size()) - 1;
  }

  // The oldest store that a read of this order may return.
  [[nodiscard]] std::uint32_t oldest_readable(location_id x, const view_of_thread& v, std::memory_order o) const;
  void read(location_id x, std::uint32_t index, view_of_thread& v, std::memory_order o);
  // `continues`: the store read by the same read-modify-write, whose release sequence goes on.
  void write(location_id x, word value, thread_index by, view_of_thread& v, std::memory_order o,
             const store_record* continues);
  void fence(view_of_thread& v, std::memory_order o);

 private:
  std::deque<location> locations_;
  frontier seq_cst_;  // what every later seq_cst operation must see
};

// Locations made outside a run (static objects): each run starts with their first value.
location_id add_static_location(word initial);

}  // namespace hop::model
