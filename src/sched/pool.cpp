#include <hop/sched/pool.hpp>

#include <pthread.h>

#include <string>

#include <hop/base/asymmetric_fence.hpp>
#include <hop/base/env.hpp>
#include <hop/base/fence.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/fiber/overflow.hpp>
#include <hop/obs/log.hpp>

#include "sched/cpu_quota.hpp"
#include "sched/sysmon.hpp"

namespace hop::sched {

namespace {

void nothing(departure&, worker&) {}

std::size_t default_spare_count() {
  return static_cast<std::size_t>(base::env_size("HOP_THREADS_MAX", {1, 10'000}).value_or(64));
}

// After fork() the child has this object and none of its threads.
base::atomic<std::uint32_t> forks{0};
void count_fork() { forks.fetch_add(1, std::memory_order_relaxed); }  // order: relaxed; the child has one thread
void watch_for_forks() {
  // tidy: allow pthread_atfork: the one way to learn of a fork
  static const int refused = ::pthread_atfork(nullptr, nullptr, count_fork);
  static_cast<void>(refused);
}

}  // namespace

pool::pool(std::size_t workers, std::size_t spares, std::size_t guests)
    : worker_count_(workers),
      spare_count_(spares),
      seat_count_(workers + spares + guests),
      counters_(workers + spares + guests + 1),  // the last is the watcher's
      board_(workers),
      seats_(new base::atomic<worker*>[workers + spares + guests] {}),
      guest_here_(guests, false),
      spare_here_(spares, false),
      spare_threads_(spares),
      sysmon_(std::make_unique<sysmon>(*this)),
      born_in_(forks.load(std::memory_order_relaxed)) {}  // order: relaxed; see count_fork()

worker& pool::make_seat(std::size_t i, worker::role as) {
  worker* w = seat(i);
  if (w == nullptr) {
    w = new worker;
    w->home = this;
    w->index = static_cast<std::uint16_t>(i);
    w->counters = &counters_.block(i);
    w->random = base::prng{i + 1};
    w->next_id = i;
    // order: release. pairs: seat(), acquire. S4: it is whole.
    seats_[i].store(w, std::memory_order_release);
  }
  w->as = as;
  return *w;
}

result<base::thread> pool::start_thread(worker& w) {
  const std::string name = "hop-" + std::to_string(w.index);
  return base::thread::start(name.c_str(), [this, &w] { thread_main(w); });
}

result<std::unique_ptr<pool>> pool::start(const pool_options& options) {
  const std::size_t wanted = options.workers != 0 ? options.workers : default_worker_count();
  const std::size_t spares = options.spares != 0 ? options.spares : default_spare_count();
  if (wanted + spares + options.guests > sleep_board::most_workers)
    return error{errc::invalid, 0, "more workers, spares and guests than 65535"};
  static_cast<void>(base::fence_heavy_works());  // registers; the first one is dear
  fiber::install_overflow_handler();
  watch_for_forks();
  std::unique_ptr<pool> p{new pool(wanted, spares, options.guests)};
  {
    base::lock_guard hold(p->mu_);
    for (std::size_t i = 0; i < wanted; ++i) p->make_seat(i, worker::role::loop);
  }
  p->threads_.reserve(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    auto t = p->start_thread(*p->seat(i));
    if (!t && i == 0) return t.error();
    if (!t) {
      obs::log(log_level::warn, "sched", "the kernel refused a thread: fewer workers than asked for");
      break;
    }
    p->threads_.push_back(std::move(*t));
  }
  p->started_ = p->threads_.size();
  // order: acquire. pairs: thread_main(), release. S4: a worker is whole before anybody gives it work.
  while (p->present_.load(std::memory_order_acquire) != p->started_) base::os_yield();
  if (auto watching = p->sysmon_->start(); !watching) {
    obs::log(log_level::warn, "sched", "the kernel refused the thread that watches: stuck workers will not be noticed");
  }
  return p;
}

pool::~pool() {
  sysmon_->stop();  // first: it starts threads
  // order: relaxed. pairs: stopping(). The fence inside post_from_outside() and the board's own order it (S2).
  stopping_.store(true, std::memory_order_relaxed);
  board_.post_from_outside(0);
  board_.wake(worker_count_);
  for (base::thread& t : threads_) t.join();
  std::vector<base::thread> spares;
  {
    base::lock_guard hold(mu_);  // not while they end: they take it to give their seats back
    spares.swap(spare_threads_);
  }
  for (base::thread& t : spares) {
    if (t.joinable()) t.join();
  }
  for (std::size_t i = 0; i < seat_count_; ++i) delete seat(i);
}

void pool::thread_main(worker& w) {
  base::set_thread_word(&w);
  auto alarm = fiber::signal_stack::put_on();
  if (!alarm) obs::log(log_level::warn, "sched", "no memory for a signal stack: an overflow here will not be named");
  {
    fiber::thread_fiber here("worker");
    fiber::stack_cache stacks(stacks_);
    flow home(here, *this);
    w.stacks = &stacks;
    w.eh = fiber::thread_eh_globals();
    w.current = w.thread_flow = &home;
    w.probe = base::thread_probe::of_this_thread();
    w.set_present(true);
    // order: release. pairs: start(), acquire. S4.
    present_.fetch_add(1, std::memory_order_release);
    departure d{&nothing};
    leave(w, w.loop_flow(fiber::stack_class::small), d);
    // Back from whichever loop was the last; it said who it was.
    HOP_ASSERT(!w.local.has_private(), "sched: a worker goes with work that nobody else can reach");
    present_.fetch_sub(1, std::memory_order_relaxed);  // order: relaxed; a count for who watches
    w.set_present(false);
    fiber::fiber::destroy(stacks, w.last_loop->self);
    w.destroy_idle();
    w.stacks = nullptr;
  }
  base::set_thread_word(nullptr);
  if (w.as == worker::role::loop) return;
  base::lock_guard hold(mu_);
  if (w.as == worker::role::relief) relief_here_ = false;
  spare_here_[w.index - worker_count_] = false;
}

bool pool::add_spare(worker::role as) {
  base::lock_guard hold(mu_);
  if (as == worker::role::relief && relief_here_) return false;
  for (std::size_t i = 0; i < spare_here_.size(); ++i) {
    if (spare_here_[i]) continue;
    if (spare_threads_[i].joinable()) spare_threads_[i].join();  // it has given its seat back: it ends now
    worker& w = make_seat(worker_count_ + i, as);
    w.local.ask();  // nobody that sleeps has asked it
    auto t = start_thread(w);
    if (!t) return false;
    spare_threads_[i] = std::move(*t);
    spare_here_[i] = true;
    relief_here_ = relief_here_ || as == worker::role::relief;
    // order: relaxed, both. pairs: seats_in_use(). Behind the lock it only grows.
    if (spares_seen_.load(std::memory_order_relaxed) <= i)
      spares_seen_.store(static_cast<std::uint32_t>(i + 1), std::memory_order_relaxed);
    if (as == worker::role::spare) watched(obs::counter::spares);
    return true;
  }
  return false;
}

bool pool::take_surplus() {
  if (surplus_.load(std::memory_order_relaxed) <= 0) return false;  // order: relaxed; a wish
  // order: relaxed. pairs: set_surplus(). As many go as were wished.
  return surplus_.fetch_sub(1, std::memory_order_relaxed) > 0;
}

void pool::check_process() const {
  HOP_ASSERT(forks.load(std::memory_order_relaxed) == born_in_,  // order: relaxed; see count_fork()
             "hopsack: used after fork(): the child has none of this runtime's threads; call exec, or make a runtime "
             "of its own");
}

void pool::stop_for_exit() {
  using namespace std::chrono_literals;
  if (forks.load(std::memory_order_relaxed) != born_in_) return;  // order: relaxed; see count_fork()
  sysmon_->stop();
  // order: relaxed. pairs: stopping(). As in ~pool().
  stopping_.store(true, std::memory_order_relaxed);
  board_.post_from_outside(0);
  board_.wake(worker_count_);
  const base::instant until = base::clock::now() + 200ms;
  while (threads_present() != 0 && base::clock::now() < until) base::os_yield();
  if (threads_present() != 0) return;  // somebody is stuck: the end of the process will not wait for it
  for (base::thread& t : threads_) t.join();
  threads_.clear();
}

void pool::submit_to(worker& w, linked_task& t, priority level) {
  t.arrived_us = coarse_us();
  w.in[static_cast<std::size_t>(level)].push(&t);
  // The one it was given to, if it sleeps; else whoever does.
  const std::size_t woken = board_.post_from_outside(w.index);
  if (woken == 0) return watcher_stir();  // all are at work, perhaps stuck: somebody should watch
  if (worker* const me = this_worker()) me->count(obs::counter::wakes, woken);
}

void pool::submit_pinned(worker& w, linked_task& t) {
  w.pinned.push(&t);
  // pairs: the fence in try_sleep(). S2: it sees the task, or we see it asleep.
  base::fence_seq_cst();
  board_.wake_one(w.index);
}

void pool::submit(linked_task& t, priority level) {
  // order: relaxed. pairs: nothing; any order of turns will do.
  const std::uint32_t n = turn_.fetch_add(1, std::memory_order_relaxed);
  check_process();
  submit_to(*seat(n % started_), t, level);
}

worker* pool::take_seat() {
  check_process();
  base::lock_guard hold(mu_);
  for (std::size_t i = 0; i < guest_here_.size(); ++i) {
    if (guest_here_[i]) continue;
    guest_here_[i] = true;
    // order: relaxed, both. pairs: seats_in_use(). A bound on where to look; behind the lock it only grows.
    if (guests_seen_.load(std::memory_order_relaxed) <= i)
      guests_seen_.store(static_cast<std::uint32_t>(i + 1), std::memory_order_relaxed);
    worker& w = make_seat(worker_seats() + i, worker::role::guest);
    w.local.ask();  // who slept before we came could not ask
    return &w;
  }
  return nullptr;
}

void pool::leave_seat(worker& w) {
  HOP_ASSERT(w.local.empty() && w.overflow.seems_empty(), "a guest left its seat with work in its queues");
  base::lock_guard hold(mu_);
  guest_here_[w.index - worker_seats()] = false;
}

run_group& pool::take_group() {
  base::lock_guard hold(mu_);
  if (free_groups_.empty()) {
    groups_.push_back(std::make_unique<run_group>(seat_count_));
    return *groups_.back();
  }
  run_group* const g = free_groups_.back();
  free_groups_.pop_back();
  return *g;
}

void pool::give_group(run_group& g) {
  base::lock_guard hold(mu_);
  free_groups_.push_back(&g);
}

}  // namespace hop::sched
