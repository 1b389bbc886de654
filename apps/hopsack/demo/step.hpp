// A step of the tour: a function that does something real with the library, checks the answer and gives a figure.
// To add one: write the function in a file of its own, declare it below, give it a line in steps.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hop/obs/counter.hpp>
#include <hop/obs/event_ring.hpp>
#include <hop/obs/histogram_recorder.hpp>

namespace hopsack::demo {

class screen;

// What came out.
struct outcome {
  bool right = false;
  std::string figure;              // for the closing table: at most 26 columns
  std::vector<std::string> lines;  // shown at once; long ones are wrapped
};

// What a tour writes down on its way, with the library's own means. The main thread owns all but blocks 1 and 2 of the
// counters, which are for threads that a step starts.
struct notebook {
  hop::obs::counter_set counters{3};
  hop::obs::event_ring events{0, 64};
  hop::obs::histogram_recorder durations;  // of the steps, in nanoseconds
};

// What a step has at hand, on the main thread.
class stage {
 public:
  stage(screen& s, notebook& n, bool quick) : screen_(s), notes_(n), quick_(quick) {}

  // `quick` where the tour should be short.
  [[nodiscard]] std::size_t count(std::size_t usual, std::size_t quick) const noexcept {
    return quick_ ? quick : usual;
  }
  // Call it as often as you like: it looks at the clock, and draws on a terminal only.
  void progress(std::size_t done, std::size_t of, std::string_view what);
  [[nodiscard]] notebook& notes() noexcept { return notes_; }

 private:
  screen& screen_;
  notebook& notes_;
  bool quick_;
};

struct step {
  std::string_view name;  // the word on the command line
  std::string_view what;  // at most 32 columns
  outcome (*run)(stage&);
};

// In the order of the tour.
[[nodiscard]] std::span<const step> all_steps() noexcept;

outcome switch_stacks(stage& s);
outcome migrate(stage& s);
outcome park_fibers(stage& s);
outcome trim_stacks(stage& s);
outcome overflow_a_stack(stage& s);
outcome catch_log_lines(stage& s);
outcome record_and_read(stage& s);
outcome fork_and_join(stage& s);
outcome spawn_and_wait(stage& s);
outcome block_workers(stage& s);

// What the child process of overflow_a_stack runs; it does not come back.
[[noreturn]] void overflow_in_this_process();

}  // namespace hopsack::demo
