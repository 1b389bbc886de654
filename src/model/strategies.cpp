#include "model/strategies.hpp"

namespace hop::model {

namespace {

thread_index first_of(thread_mask m) { return static_cast<thread_index>(__builtin_ctz(m)); }

// Going on with the same thread first keeps the early runs readable.
thread_index preferred(thread_mask candidates, const crossroads& c) {
  return c.last && (candidates >> *c.last & 1u) != 0 ? *c.last : first_of(candidates);
}

bool gives_way(op_kind k) { return k == op_kind::spin || k == op_kind::futex_woken; }

}  // namespace

void exhaustive_chooser::begin_run() {
  depth_ = 0;
  sleep_now_ = 0;
}

std::optional<thread_index> exhaustive_chooser::pick_thread(const crossroads& c) {
  if (depth_ == path_.size()) {
    const thread_mask candidates = c.enabled & ~sleep_now_;
    if (candidates == 0) return std::nullopt;
    node n;
    n.enabled = c.enabled;
    n.sleep = sleep_now_;
    n.chosen = preferred(candidates, c);
    path_.push_back(n);
  }
  const node& n = path_[depth_++];
  // Whoever was explored before from here, and does not depend on the step now made, need not go first again.
  sleep_now_ = 0;
  const thread_mask asleep = (n.sleep | n.done) & ~(1u << n.chosen);
  for (thread_index t = 0; t < max_threads; ++t) {
    if ((asleep >> t & 1u) != 0 && !dependent((*c.pending)[t], (*c.pending)[n.chosen])) sleep_now_ |= 1u << t;
  }
  return n.chosen;
}

std::uint32_t exhaustive_chooser::pick_value(std::uint32_t count) {
  if (depth_ == path_.size()) {
    node n;
    n.is_value = true;
    n.count = count;
    path_.push_back(n);
  }
  return path_[depth_++].chosen;
}

bool exhaustive_chooser::next_run() {
  while (!path_.empty()) {
    node& n = path_.back();
    if (n.is_value) {
      if (++n.chosen < n.count) return true;
    } else {
      n.done |= 1u << n.chosen;
      const thread_mask left = n.enabled & ~n.sleep & ~n.done;
      if (left != 0) {
        n.chosen = first_of(left);
        return true;
      }
    }
    path_.pop_back();
  }
  return false;
}

void bounded_chooser::begin_run() {
  depth_ = 0;
  used_ = 0;
}

std::optional<thread_index> bounded_chooser::pick_thread(const crossroads& c) {
  // A thread that spins or sleeps gave way by itself: leaving it is no preemption.
  const bool can_go_on = c.last && (c.enabled >> *c.last & 1u) != 0 && !gives_way((*c.pending)[*c.last].kind);
  if (depth_ == path_.size()) {
    node n;
    const thread_index first = preferred(c.enabled, c);
    n.options.push_back(first);
    for (thread_index t = 0; t < max_threads && (!can_go_on || used_ < limit_); ++t) {
      if (t != first && (c.enabled >> t & 1u) != 0) n.options.push_back(t);
    }
    n.count = static_cast<std::uint32_t>(n.options.size());
    path_.push_back(std::move(n));
  }
  const node& n = path_[depth_++];
  const thread_index t = n.options[n.chosen];
  if (can_go_on && t != *c.last) ++used_;
  return t;
}

std::uint32_t bounded_chooser::pick_value(std::uint32_t count) {
  if (depth_ == path_.size()) path_.push_back({.chosen = 0, .count = count});
  return path_[depth_++].chosen;
}

bool bounded_chooser::next_run() {
  while (!path_.empty()) {
    if (++path_.back().chosen < path_.back().count) return true;
    path_.pop_back();
  }
  return false;
}

std::optional<thread_index> random_chooser::pick_thread(const crossroads& c) {
  // Runs of steps by one thread, now and then a switch: uniform choice would switch all the time and miss long detours.
  if (c.last && (c.enabled >> *c.last & 1u) != 0 && below(3) != 0) return *c.last;
  std::uint32_t nth = below(static_cast<std::uint32_t>(__builtin_popcount(c.enabled)));
  thread_mask m = c.enabled;
  while (nth-- != 0) m &= m - 1;
  return first_of(m);
}

std::uint32_t random_chooser::pick_value(std::uint32_t count) { return below(2) == 0 ? 0 : below(count); }

std::optional<thread_index> replay_chooser::pick_thread(const crossroads& c) {
  if (strayed_ || at_ >= choices_.size() || choices_[at_] >= max_threads || (c.enabled >> choices_[at_] & 1u) == 0) {
    strayed_ = true;
    return std::nullopt;
  }
  return choices_[at_++];
}

std::uint32_t replay_chooser::pick_value(std::uint32_t count) {
  if (strayed_ || at_ >= choices_.size() || choices_[at_] >= count) {
    strayed_ = true;
    return 0;
  }
  return choices_[at_++];
}

}  // namespace hop::model
