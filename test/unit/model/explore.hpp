// explore: makes every run of a small program and keeps what came out of each.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/crew.hpp"
#include "model/engine.hpp"
#include "model/strategies.hpp"

namespace hop::model {

// Depth first over every choice, without any reduction: what the others are held against. Starting a thread touches nothing
// but itself, so starts go first; that keeps the numbers small.
class brute_chooser : public chooser {
 public:
  void begin_run() override { depth_ = 0; }
  std::optional<thread_index> pick_thread(const crossroads& c) override {
    for (thread_index t = 0; t < max_threads; ++t) {
      if ((c.enabled >> t & 1u) != 0 && (*c.pending)[t].kind == op_kind::start) return t;
    }
    std::uint32_t nth = pick_value(static_cast<std::uint32_t>(__builtin_popcount(c.enabled)));
    thread_mask m = c.enabled;
    while (nth-- != 0) m &= m - 1;
    return static_cast<thread_index>(__builtin_ctz(m));
  }
  std::uint32_t pick_value(std::uint32_t count) override {
    if (depth_ == path_.size()) path_.emplace_back(0, count);
    return path_[depth_++].first;
  }
  bool next_run() override {
    while (!path_.empty()) {
      if (++path_.back().first < path_.back().second) return true;
      path_.pop_back();
    }
    return false;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;
  std::size_t depth_ = 0;
};

struct explored {
  std::set<std::string> outcomes;  // of the runs that were not cut
  std::uint64_t runs = 0;
  std::uint64_t cut = 0;
  std::uint64_t findings = 0;
  run_outcome finding;  // the first
  [[nodiscard]] std::uint64_t whole() const { return runs - cut; }
};

// `body` runs as the main thread and says what it saw. A finding is an outcome too, by its first line.
inline explored explore(chooser& decide, const std::function<std::string()>& body, run_options options = {},
                        std::uint64_t most_runs = 3'000'000) {
  explored e;
  do {
    std::string saw;
    run_outcome o = engine::run([&] { saw = body(); }, decide, options);
    ++e.runs;
    if (o.failure) saw = "finding: " + o.failure->substr(0, o.failure->find('\n'));
    if (o.pruned) {
      ++e.cut;
    } else {
      e.outcomes.insert(saw);
    }
    if (o.failure && e.findings++ == 0) e.finding = std::move(o);
  } while (e.runs < most_runs && decide.next_run());
  return e;
}

inline explored explore_all(const std::function<std::string()>& body, run_options options = {}) {
  exhaustive_chooser decide;
  return explore(decide, body, options);
}

inline explored explore_brute(const std::function<std::string()>& body, run_options options = {}) {
  brute_chooser decide;
  return explore(decide, body, options);
}

// The first finding of an exhaustive search, or "none".
inline std::string first_finding(const std::function<void()>& body, run_options options = {}) {
  exhaustive_chooser decide;
  do {
    const run_outcome o = engine::run(body, decide, options);
    if (o.failure) return *o.failure;
  } while (decide.next_run());
  return "none";
}

}  // namespace hop::model
