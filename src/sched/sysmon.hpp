// The one thread that watches: what nobody answers for is taken by force, who is stuck gets a substitute, what waits too long gets
// relief, a wake that was lost is made good. It sleeps when every worker does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <hop/base/atomic.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/result.hpp>
#include <hop/base/thread.hpp>

namespace hop::sched {

class pool;
class worker;

class sysmon {
 public:
  explicit sysmon(pool& p) : pool_(p) {}
  sysmon(const sysmon&) = delete;
  sysmon& operator=(const sysmon&) = delete;

  [[nodiscard]] result<void> start();
  void stop();

  // By a worker that has slept: somebody works again.
  void stir() {
    // order: relaxed. pairs: rest(). W1: the sleeper's count, which rest() looks at after a fence, is what decides.
    if (HOP_UNLIKELY(resting_.load(std::memory_order_relaxed) != 0)) wake();
  }

 private:
  struct observation {
    std::uint32_t beat = 0;
    base::instant since{};  // when it was first seen with this beat
    std::int64_t cpu_ns = 0;
    bool blocked = false;
    bool unanswered = false;  // somebody asked its deque in vain
  };

  void main();
  void look();
  void look_at(std::size_t seat, base::instant now);
  void make_good(base::instant now);
  void relieve(base::instant now);
  [[nodiscard]] bool everybody_sleeps();
  void rest();
  void wake();

  pool& pool_;
  base::thread thread_;
  base::atomic<std::uint32_t> resting_{0};
  base::atomic<std::uint32_t> stopping_{0};
  std::vector<observation> seen_;
  base::instant waiting_since_{};  // work in a queue while workers sleep
  base::instant ordered_since_{};  // work from outside while every worker computes
  std::uint32_t idle_rounds_ = 0;
  bool trimmed_ = true;  // nothing has run since idle stacks were given back
};

}  // namespace hop::sched
