// One run of the modelled program: its threads, its memory and what went wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <hop/base/place.hpp>
#include <hop/base/unique_function.hpp>

#include "model/chooser.hpp"
#include "model/knowledge.hpp"
#include "model/memory.hpp"
#include "model/mutants.hpp"
#include "model/stacks.hpp"

namespace hop::model {

struct run_options {
  std::uint32_t max_steps = 2000;  // a run that needs more is a finding
  bool spurious = true;  // once a thread each: a weak compare_exchange fails or a futex wait returns for no reason,
                         // and a spin loop takes a turn though nothing has changed
  bool tracing = false;  // keep a line for every step
};

struct run_outcome {
  std::optional<std::string> failure;
  bool pruned = false;
  std::uint32_t steps = 0;
  std::vector<std::uint32_t> choices;  // replays the run
  std::vector<std::string> trace;
};

class engine {
 public:
  // Runs `body` as thread 0 to its end, or to a finding.
  static run_outcome run(const std::function<void()>& body, chooser& decide, const run_options& options);
  // The run under way on this thread, or nullptr.
  static engine* current();

  // For the operations: stand at a choice point until chosen.
  void step(const operation& op);
  std::uint32_t choose(std::uint32_t count);
  [[noreturn]] void fail_here(std::string what);
  void note(std::string text);
  [[nodiscard]] bool tracing() const { return options_.tracing; }

  struct thread_record {
    std::string name;
    base::unique_function<void()> body;
    model_stack stack;
    operation pending{};
    bool finished = false;
    view_of_thread view;
    std::vector<std::pair<location_id, word>> read_since_spin;
    bool spins_freely = false;  // what made it turn is not in read_since_spin
    bool futex_waiting = false, futex_woken = false;
    bool spurious_left = true, idle_spin_left = true, timeout_left = true;
    void* own_word = nullptr;
  };
  thread_record& self() { return threads_[running_]; }
  [[nodiscard]] thread_index self_index() const { return running_; }
  thread_index start(std::string name, base::unique_function<void()> body);
  [[nodiscard]] bool spin_sees_change(const thread_record& t) const;
  [[nodiscard]] bool finished(thread_index t) const { return threads_[t].finished; }
  thread_record& thread(thread_index t) { return threads_[t]; }
  [[nodiscard]] std::size_t thread_count() const { return threads_.size(); }
  memory& mem() { return memory_; }
  [[nodiscard]] bool spurious() const { return options_.spurious; }
  void advance_clock() { now_ns_ += 1'000'000; }
  [[nodiscard]] std::int64_t now_ns() const { return now_ns_; }
  void on_unhandled_exception(const char* what);
  void on_thread_end();

 private:
  engine(chooser& decide, const run_options& options) : decide_(decide), options_(options) {}
  void loop();
  // Who can make a step; `really`: not counting those who would for no reason, for that must not hide a lost wake-up.
  struct standing {
    thread_mask can = 0, really = 0;
  };
  [[nodiscard]] standing who_can() const;
  [[nodiscard]] bool can_go_on(const thread_record& t) const;
  [[nodiscard]] bool can_return_idly(const thread_record& t) const;
  [[nodiscard]] std::string where_everybody_stands();

  chooser& decide_;
  run_options options_;
  memory memory_;
  std::vector<thread_record> threads_;
  thread_index running_ = 0;
  std::optional<thread_index> last_;
  run_outcome outcome_;
  std::int64_t now_ns_ = 1'000'000'000;
};

// Ends the run as a finding (HOP_ASSERT in product code comes here).
[[noreturn]] void fail(const char* what, const base::place& where);
// HOP_MODEL_CHECK's way in.
[[nodiscard]] std::int64_t virtual_now_ns();
[[nodiscard]] std::uint64_t search_seed();
void set_search_seed(std::uint64_t seed);

}  // namespace hop::model

// A claim inside a model piece.
#define HOP_MODEL_CHECK(cond, what)                                                   \
  do {                                                                                \
    if (!(cond)) ::hop::model::fail(what " [" #cond "]", ::hop::base::place::here()); \
  } while (false)
