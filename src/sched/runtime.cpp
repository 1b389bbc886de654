#include <hop/sched/runtime.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

#include <hop/base/env.hpp>
#include <hop/sched/guest.hpp>
#include <hop/sched/spawn.hpp>
#include <hop/version.hpp>

namespace hop {

namespace {

// tidy: allow thread_local: the choice of a thread that is no worker; no fiber ever reads it
thread_local runtime* chosen = nullptr;

std::unique_ptr<sched::pool> started(const runtime_options& o) {
  auto p = sched::pool::start({.workers = o.workers, .guests = o.guests, .spares = o.spares});
  if (!p) throw std::system_error(p.error().system, std::generic_category(), p.error().what);
  return std::move(*p);
}

bool wants_statistics() {
  static const bool wanted = base::env_flag("HOP_STATS", false);
  return wanted;
}

void print_statistics(sched::pool& p) {
  const std::string table = obs::counter_table(p.counters());
  std::fprintf(stderr, "hopsack statistics, %zu workers\n%s", p.workers(), table.c_str());
}

void say_what_was_started(const sched::pool& p) {
  if (!base::env_flag("HOP_VERBOSE", false)) return;
  std::fprintf(stderr, "hopsack %s: %zu workers, at most %zu further threads; stacks of %zu and %zu bytes\n",
               HOP_VERSION_STRING, p.workers(), p.worker_seats() - p.workers(), fiber::default_stack_bytes,
               fiber::large_stack_bytes);
}

// The process's own runtime is never destroyed: threads may use it until the very end. Its workers stop before static objects go.
void at_exit() {
  sched::pool& p = runtime::process().pool();
  p.stop_for_exit();
  if (wants_statistics()) print_statistics(p);
}

}  // namespace

runtime::runtime(const runtime_options& options) : pool_(started(options)) {
  outside_.group = &pool_->take_group();
  pool_->set_owner(this);
  static_cast<void>(wants_statistics());  // a wrong value is told at the start
  say_what_was_started(*pool_);
}

runtime::~runtime() {
  HOP_ASSERT(sched::this_worker() == nullptr || sched::this_worker()->home != pool_.get(),
             "a runtime is destroyed by one of its own tasks");
  sched::wait_for_group(*outside_.group);
  pool_->give_group(*outside_.group);
  if (wants_statistics()) print_statistics(*pool_);
}

runtime& runtime::process() {
  static runtime* const r = [] {
    auto* const made = new runtime;
    std::atexit(at_exit);
    return made;
  }();
  return *r;
}

runtime* runtime::use(runtime* r) noexcept { return std::exchange(chosen, r); }

namespace sched {

runtime& runtime_here() {
  if (const worker* const w = this_worker()) return *w->home->owner();
  return chosen != nullptr ? *chosen : runtime::process();
}

pool& pool_here() { return runtime_here().pool(); }

const task_context& outside_context(pool& p) {
  runtime& r = runtime_here();
  HOP_ASSERT(&r.pool() == &p, "sched: a thread's runtime changed while it spawned");
  return r.outside();
}

guest_seat::guest_seat() {
  runtime& r = runtime_here();
  worker_ = r.pool().take_seat();
  if (worker_ == nullptr) return;
  worker_->context = &r.outside();
  worker_->current = nullptr;
  base::set_thread_word(worker_);
}

guest_seat::~guest_seat() {
  if (worker_ == nullptr) return;
  worker& w = *worker_;
  base::set_thread_word(nullptr);
  // What was spawned and not joined goes to the workers.
  while (task* const t = w.local.pop([] {})) w.home->submit(static_cast<linked_task&>(*t));
  while (task* const t = w.overflow.take_oldest()) w.home->submit(static_cast<linked_task&>(*t));
  w.home->leave_seat(w);
}

void run_root(pool& p, linked_task& root, run_group& group) {
  p.submit(root);
  wait_for_task(root);
  wait_for_group(group);
}

void nobody_joined(const std::exception_ptr& thrown) noexcept {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "hopsack: a task that nobody joins ended with an exception: %s\n", e.what());
  } catch (...) {
    std::fprintf(stderr, "hopsack: a task that nobody joins ended with an exception of unknown type\n");
  }
  std::abort();
}

}  // namespace sched
}  // namespace hop
