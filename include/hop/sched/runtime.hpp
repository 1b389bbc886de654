// The workers of a program. Most programs need nothing of this: there is one runtime, started when first used.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <hop/sched/cancel_scope.hpp>
#include <hop/sched/join.hpp>
#include <hop/sched/pool.hpp>
#include <hop/sched/sleep.hpp>

namespace hop {

struct runtime_options {
  std::size_t workers = 0;  // 0: HOP_WORKERS, else what affinity and cgroup give
  std::size_t guests = 64;  // outside threads inside a join at once; beyond that a join runs alone
  std::size_t spares = 0;   // further threads while workers are stuck in the kernel; 0: HOP_THREADS_MAX, else 64
};

class HOP_EXPORT runtime {
 public:
  // Throws std::system_error where not one worker can be started.
  explicit runtime(const runtime_options& options = {});
  // Waits for what still runs.
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // The one that free functions use where no other is set. Started at the first call, never destroyed.
  [[nodiscard]] static runtime& process();
  // Free functions called on this thread (which is no worker) use `r` from now on; nullptr: the process's own. Returns the
  // one before.
  static runtime* use(runtime* r) noexcept;

  // Runs f as a fiber on a large stack and returns its value, once every task that was spawned under it has ended, too.
  template <task_body F>
  auto run(F&& f);

  [[nodiscard]] std::size_t workers() const noexcept { return pool_->workers(); }
  [[nodiscard]] obs::counter_totals statistics() const noexcept { return pool_->totals(); }
  [[nodiscard]] sched::pool& pool() noexcept { return *pool_; }
  [[nodiscard]] const sched::task_context& outside() const noexcept { return outside_; }

 private:
  std::unique_ptr<sched::pool> pool_;
  sched::task_context outside_;  // of tasks spawned by threads that are no workers
};

namespace sched {

// The first task of a run, in the frame of who waits for it.
template <class F>
class root_task : public linked_task {
 public:
  root_task(F& f, const task_context* context) noexcept : linked_task(kind_of, context), f_(&f) {}
  std::optional<result_of<F>> value;
  std::exception_ptr error;

 private:
  static void run(task& t, worker&) {
    auto& self = static_cast<root_task&>(static_cast<linked_task&>(t));
    try {
      self.value.emplace(call(*self.f_));
    } catch (...) {
      self.error = std::current_exception();
    }
    wake_waiters(self.finish().waiters);
  }
  static constexpr task_kind kind_of{&run, "run"};
  F* f_;
};

// Queues `root`, waits for it and for the group of its context.
HOP_EXPORT void run_root(pool& p, linked_task& root, run_group& group);

}  // namespace sched

template <task_body F>
auto runtime::run(F&& f) {
  sched::run_group& group = pool_->take_group();
  cancel_scope scope(this_fiber::scope());  // a run inside a task is called off with it
  const sched::task_context children{.group = &group, .scope = &scope};
  const sched::task_context context{
      .group = &group, .scope = &scope, .stack = fiber::stack_class::large, .for_spawned = &children};
  sched::root_task<std::remove_reference_t<F>> root(f, &context);
  sched::run_root(*pool_, root, group);
  pool_->give_group(group);
  if (root.error != nullptr) std::rethrow_exception(root.error);
  if constexpr (!std::is_void_v<std::invoke_result_t<F&>>) return std::move(*root.value);
}

// On the process's runtime, or the one set for this thread.
template <task_body F>
auto run(F&& f);

namespace sched {
[[nodiscard]] HOP_EXPORT runtime& runtime_here();
}

template <task_body F>
auto run(F&& f) {
  return sched::runtime_here().run(std::forward<F>(f));
}

}  // namespace hop
