#include "sched/sysmon.hpp"

#include <algorithm>

#include <hop/base/asymmetric_fence.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/futex.hpp>
#include <hop/sched/pool.hpp>

namespace hop::sched {

namespace {

using namespace std::chrono_literals;

constexpr base::duration shortest_look = 50us;
constexpr base::duration longest_look = 400us;
constexpr base::duration stuck_after = 500us;    // without a beat
constexpr base::duration relief_after = 2ms;     // of waiting while every worker computes
constexpr base::duration lost_after = 200us;     // work in a queue while workers sleep and nobody looks
constexpr std::uint32_t rounds_before_rest = 8;  // looks with everybody asleep
constexpr base::duration trim_after = 1s;        // of rest: idle stacks give their pages back, once

}  // namespace

result<void> sysmon::start() {
  seen_.resize(pool_.worker_seats());
  auto t = base::thread::start("hop-sysmon", [this] { main(); });
  if (!t) return t.error();
  thread_ = std::move(*t);
  return {};
}

void sysmon::stop() {
  if (!thread_.joinable()) return;
  // order: seq_cst. pairs: main(), rest(). W1: it sees this, or is woken.
  stopping_.store(1, std::memory_order_seq_cst);
  wake();
  base::futex_wake(stopping_, 1);
  thread_.join();
}

void sysmon::wake() {
  // order: seq_cst. pairs: rest(). W1.
  if (resting_.exchange(0, std::memory_order_seq_cst) != 0) base::futex_wake(resting_, 1);
}

void sysmon::main() {
  base::duration pause = shortest_look;
  for (;;) {
    // order: seq_cst. pairs: stop(). W1.
    if (stopping_.load(std::memory_order_seq_cst) != 0) return;
    look();
    if (everybody_sleeps()) {
      if (++idle_rounds_ >= rounds_before_rest) {
        rest();
        pause = shortest_look;
        continue;
      }
    } else {
      idle_rounds_ = 0;
      trimmed_ = false;
    }
    base::futex_wait(stopping_, 0, std::min(base::clock::now() + pause, pool_.next_timer()));
    pause = std::min(2 * pause, longest_look);
  }
}

bool sysmon::everybody_sleeps() {
  // counts() is relaxed: in rest() a fence stands before it.
  return pool_.board().counts().inactive() >= pool_.threads_present() && !pool_.anything_waiting();
}

void sysmon::rest() {
  // order: relaxed. pairs: stir(), by the fences. W1.
  resting_.store(1, std::memory_order_relaxed);
  // pairs: the fence in stir()'s caller, find_work(). W1: we see that somebody works, or it sees that we rest.
  base::fence_seq_cst();
  // order: seq_cst. pairs: stop(). W1.
  if (everybody_sleeps() && stopping_.load(std::memory_order_seq_cst) == 0) {
    const base::instant tidy_up = trimmed_ ? base::never : base::clock::now() + trim_after;
    const base::instant until = std::min(pool_.next_timer(), tidy_up);
    const bool slept_through = base::futex_wait(resting_, 1, until) == base::futex_end::timed_out;
    trimmed_ = slept_through && (trimmed_ || until == tidy_up);
    if (trimmed_ && until == tidy_up) pool_.stacks().trim();
  }
  resting_.store(0, std::memory_order_relaxed);  // order: relaxed. pairs: stir(). Awake
  idle_rounds_ = 0;
}

void sysmon::look() {
  const base::instant now = base::clock::now();
  pool_.set_coarse_now(now);
  pool_.ring_timers(now);
  for (std::size_t i = 0; i < seen_.size(); ++i) look_at(i, now);
  std::size_t blocked = 0;
  for (const observation& o : seen_) blocked += o.blocked ? 1u : 0u;
  const std::size_t able = pool_.threads_present() - std::min(blocked, pool_.threads_present());
  if (able < pool_.workers() && pool_.anything_waiting()) pool_.add_spare(worker::role::spare);
  pool_.set_surplus(able > pool_.workers() ? able - pool_.workers() : 0);
  make_good(now);
  relieve(now);
}

void sysmon::look_at(std::size_t seat, base::instant now) {
  observation& o = seen_[seat];
  worker* const w = pool_.seat(seat);
  if (w == nullptr || !w->present()) {
    o = {};
    return;
  }
  const std::uint32_t beat = w->beat();
  if (w->blocking()) {  // no need to find out
    if (!o.blocked) pool_.watched(obs::counter::blocked_seen);
    o = {.beat = beat, .since = now, .blocked = true};
    return;
  }
  if (beat != o.beat || o.since == base::instant{} || pool_.board().sleeps(seat)) {
    o = {.beat = beat, .since = now};
    return;
  }
  if (now - o.since < stuck_after) return;
  // It neither looks nor pops, and somebody asked: what it keeps to itself would stay there.
  const bool unanswered = w->local.unanswered();
  if (unanswered && o.unanswered && base::fence_heavy_works() && w->local.force()) {
    pool_.watched(obs::counter::forced);
    pool_.board().post();
  }
  o.unanswered = unanswered;
  const std::int64_t cpu = w->probe.cpu_ns();
  const bool stood_still = o.cpu_ns != 0 && cpu == o.cpu_ns;
  o.cpu_ns = cpu;
  const bool blocked = stood_still && w->probe.waits_in_kernel();
  if (blocked && !o.blocked) pool_.watched(obs::counter::blocked_seen);
  o.blocked = blocked;
}

// Work that anybody may take, workers asleep and nobody looking: a push that was not seen (X2).
void sysmon::make_good(base::instant now) {
  const sleep_counts c = pool_.board().counts();
  if (c.sleeping() == 0 || c.looking() != 0 || !pool_.anything_waiting()) {
    waiting_since_ = {};
    return;
  }
  if (waiting_since_ == base::instant{}) {
    waiting_since_ = now;
  } else if (now - waiting_since_ >= lost_after && pool_.board().wake(1) != 0) {
    pool_.watched(obs::counter::rewakes);
    waiting_since_ = {};
  }
}

// Every worker computes, and something from outside waits.
void sysmon::relieve(base::instant now) {
  const sleep_counts c = pool_.board().counts();
  bool all_compute = c.inactive() == 0 && pool_.anything_ordered();
  for (std::size_t i = 0; i < seen_.size() && all_compute; ++i) {
    const worker* const w = pool_.seat(i);
    if (w != nullptr && w->present())
      all_compute = seen_[i].since != base::instant{} && now - seen_[i].since >= stuck_after;
  }
  if (!all_compute) {
    ordered_since_ = {};
  } else if (ordered_since_ == base::instant{}) {
    ordered_since_ = now;
  } else if (now - ordered_since_ >= relief_after) {
    if (pool_.add_spare(worker::role::relief)) pool_.watched(obs::counter::reliefs);
    ordered_since_ = {};
  }
}

}  // namespace hop::sched
