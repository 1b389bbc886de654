// The ways to choose: all of it, with few preemptions, at random, or as a schedule says.
#pragma once

#include <random>
#include <vector>

#include "model/chooser.hpp"

namespace hop::model {

// Depth first over every choice, with sleep sets: of runs that differ only in the order of independent steps one is made.
class exhaustive_chooser : public chooser {
 public:
  void begin_run() override;
  std::optional<thread_index> pick_thread(const crossroads& c) override;
  std::uint32_t pick_value(std::uint32_t count) override;
  bool next_run() override;

 private:
  struct node {
    bool is_value = false;
    std::uint32_t chosen = 0;
    std::uint32_t count = 0;  // values only
    thread_mask enabled = 0;  // threads only, as the following
    thread_mask sleep = 0;    // explored from an earlier sibling already
    thread_mask done = 0;     // explored from here
  };
  std::vector<node> path_;
  std::size_t depth_ = 0;
  thread_mask sleep_now_ = 0;
};

// Depth first over every run with at most `preemptions` switches away from a thread that could have gone on.
class bounded_chooser : public chooser {
 public:
  explicit bounded_chooser(std::uint32_t preemptions) : limit_(preemptions) {}
  void begin_run() override;
  std::optional<thread_index> pick_thread(const crossroads& c) override;
  std::uint32_t pick_value(std::uint32_t count) override;
  bool next_run() override;

 private:
  struct node {
    std::uint32_t chosen = 0;  // index in `options`, or the value
    std::uint32_t count = 0;
    std::vector<thread_index> options{};  // empty for values
  };
  std::uint32_t limit_;
  std::vector<node> path_;
  std::size_t depth_ = 0;
  std::uint32_t used_ = 0;
};

// `runs` runs, each from its own seed.
class random_chooser : public chooser {
 public:
  random_chooser(std::uint64_t seed, std::uint64_t runs) : seed_(seed), left_(runs), random_(seed) {}
  void begin_run() override { random_.seed(seed_++); }
  std::optional<thread_index> pick_thread(const crossroads& c) override;
  std::uint32_t pick_value(std::uint32_t count) override;
  bool next_run() override { return left_ > 1 && --left_ != 0; }

 private:
  // Uniform in [0, bound), the same with every standard library.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((random_() >> 32) * bound) >> 32); }

  std::uint64_t seed_, left_;
  std::mt19937_64 random_;
};

// One run, as recorded.
class replay_chooser : public chooser {
 public:
  explicit replay_chooser(std::vector<std::uint32_t> choices) : choices_(std::move(choices)) {}
  void begin_run() override { at_ = 0; }
  std::optional<thread_index> pick_thread(const crossroads& c) override;
  std::uint32_t pick_value(std::uint32_t count) override;
  bool next_run() override { return false; }
  // The recorded run does not fit the program (any more).
  [[nodiscard]] bool strayed() const { return strayed_ || at_ != choices_.size(); }

 private:
  std::vector<std::uint32_t> choices_;
  std::size_t at_ = 0;
  bool strayed_ = false;
};

}  // namespace hop::model
