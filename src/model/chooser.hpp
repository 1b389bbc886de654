// Who decides at a choice point. The search strategies and the replay of a schedule implement it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/operation.hpp"

namespace hop::model {

using thread_mask = std::uint32_t;

// The world as a strategy sees it when a thread must be chosen.
struct crossroads {
  thread_mask enabled = 0;                            // who can make a step
  std::optional<thread_index> last;                   // who made the last step
  const std::array<operation, max_threads>* pending;  // what each would do
};

class chooser {
 public:
  chooser() = default;
  chooser(const chooser&) = delete;
  chooser& operator=(const chooser&) = delete;
  virtual ~chooser() = default;

  virtual void begin_run() = 0;
  // Who goes next, one of `enabled`; nullopt: this run repeats one already seen.
  virtual std::optional<thread_index> pick_thread(const crossroads& c) = 0;
  // One of `count` values, count > 1. For a read 0 is the newest.
  virtual std::uint32_t pick_value(std::uint32_t count) = 0;
  // Whether another run is wanted.
  virtual bool next_run() = 0;
};

}  // namespace hop::model
