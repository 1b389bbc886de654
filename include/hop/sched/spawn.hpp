// hop::spawn(f): a task of its own, and a handle to wait for it.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <hop/sched/join.hpp>
#include <hop/sched/pool.hpp>

namespace hop {

namespace sched {

// An exception that nobody will ever see ends the process, with its words.
[[noreturn]] HOP_EXPORT void nobody_joined(const std::exception_ptr& thrown) noexcept;

// The memory of a record. nullptr: refused.
template <class Record>
[[nodiscard]] void* take_record(worker* w) noexcept {
  return (w != nullptr ? w->blocks : block_cache::of_thread()).take(sizeof(Record));
}
template <class Record>
void give_record(Record& r) noexcept {
  std::destroy_at(&r);
  worker* const w = this_worker();
  (w != nullptr ? w->blocks : block_cache::of_thread()).give(&r, sizeof(Record));
}

// The outcome of a spawned task and the part of its record that a handle knows.
template <class R>
class spawned_result : public linked_task {
 public:
  using linked_task::linked_task;
  spawned_result(const spawned_result&) = delete;
  spawned_result& operator=(const spawned_result&) = delete;

  [[nodiscard]] R take() {
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
    if constexpr (!std::is_void_v<R>) return std::move(value_);
  }
  // The record goes back to where records come from.
  void (*free)(spawned_result&) noexcept = nullptr;

 protected:
  ~spawned_result() {
    if constexpr (!std::is_void_v<R>) {
      if (has_value_) std::destroy_at(&value_);
    }
  }
  // The whole life of a spawned task. `forget` destroys the body: what it holds is gone before anybody can have waited for it.
  template <class F, class Forget, class Free>
  HOP_ALWAYS_INLINE void run_body(F& body, Forget&& forget, Free&& free_it) {
    try {
      if constexpr (std::is_void_v<R>) {
        body();
      } else {
        std::construct_at(&value_, body());
        has_value_ = true;
      }
    } catch (...) {
      error_ = std::current_exception();
    }
    forget();
    worker& w = *this_worker();
    run_group* const group = this->context()->group;
    const auto end = this->finish();
    if (end.abandoned) {
      if (error_ != nullptr) nobody_joined(error_);
      free_it();
    } else if (end.waiters != nullptr) {
      wake_waiters(end.waiters);
    }
    w.count(obs::counter::tasks_finished);
    group->finished(w.index);
  }

  struct empty {};
  union {
    std::conditional_t<std::is_void_v<R>, empty, R> value_;
  };
  bool has_value_ = false;
  std::exception_ptr error_;
};

template <class F, class R>
class spawned final : public spawned_result<R> {
 public:
  template <class G>
  spawned(G&& body, const task_context* inherited) : spawned_result<R>(kind_of, inherited) {
    std::construct_at(&body_, std::forward<G>(body));
    this->free = &free_record;
  }
  ~spawned() {}

 private:
  static void run(task& t, worker&) {
    auto& self = static_cast<spawned&>(static_cast<linked_task&>(t));
    self.run_body(
        self.body_, [&self] { std::destroy_at(&self.body_); }, [&self] { free_record(self); });
  }
  static void free_record(spawned_result<R>& r) noexcept { give_record(static_cast<spawned&>(r)); }
  static constexpr task_kind kind_of{&run, "spawn"};

  union {
    F body_;
  };
};

// With what it inherits changed: the record brings its own.
template <class F, class R>
class spawned_apart final : public spawned_result<R> {
 public:
  template <class G>
  spawned_apart(G&& body, const task_context& changed)
      : spawned_result<R>(kind_of, nullptr), own_(changed), inner_(std::forward<G>(body)) {
    this->set_context(&own_);
    this->free = &free_record;
  }

 private:
  static void run(task& t, worker&) {
    auto& self = static_cast<spawned_apart&>(static_cast<linked_task&>(t));
    self.run_body(
        *self.inner_, [&self] { self.inner_.reset(); }, [&self] { free_record(self); });
  }
  static void free_record(spawned_result<R>& r) noexcept {
    auto& self = static_cast<spawned_apart&>(r);
    give_record(self);
  }
  static constexpr task_kind kind_of{&run, "spawn"};

  task_context own_;
  std::optional<F> inner_;
};

template <class F, class R, class G>
spawned_apart<F, R>* make_apart(worker* w, G&& body, task_context context) {
  using record = spawned_apart<F, R>;
  static_assert(alignof(record) <= block_cache::alignment, "hop::spawn: a closure aligned beyond a cache line");
  context.passing = true;
  void* const room = take_record<record>(w);
  if (room == nullptr) throw std::bad_alloc();
  auto* const t = new (room) record(std::forward<G>(body), context);
  if (w != nullptr) {
    w->count(obs::counter::tasks_spawned);
    context.group->spawned(w->index);
  } else {
    context.group->spawned_outside();
  }
  return t;
}

// The pool that free functions use: that of this worker, else the one set for this thread, else the process's own.
[[nodiscard]] HOP_EXPORT pool& pool_here();
// What a task spawned here inherits.
[[nodiscard]] HOP_EXPORT const task_context& outside_context(pool& p);

}  // namespace sched

// A task that was spawned. Moves, does not copy; any number of fibers and threads may join() through one handle, as long as it
// lives and, where the result is moved out, one takes it. Dropping the handle lets the task go on alone: an exception that it
// then ends with stops the process.
template <class R>
class [[nodiscard]] task_handle {
 public:
  task_handle() = default;
  explicit task_handle(sched::spawned_result<R>& t) noexcept : task_(&t) {}
  task_handle(task_handle&& o) noexcept : task_(std::exchange(o.task_, nullptr)) {}
  task_handle& operator=(task_handle&& o) noexcept {
    if (this != &o) {
      drop();
      task_ = std::exchange(o.task_, nullptr);
    }
    return *this;
  }
  ~task_handle() { drop(); }

  [[nodiscard]] bool valid() const noexcept { return task_ != nullptr; }
  [[nodiscard]] bool done() const noexcept { return need().done(); }
  // Waits. What the task did happens-before the return.
  void wait() const {
    if (!need().done()) sched::wait_for_task(need());
  }
  // Waits, then gives the result or throws what the task threw. Once.
  R join() {
    wait();
    return need().take();
  }

 private:
  [[nodiscard]] sched::spawned_result<R>& need() const {
    HOP_ASSERT(task_ != nullptr, "task_handle: empty; it was moved from");
    return *task_;
  }
  void drop() noexcept {
    if (task_ == nullptr) return;
    if (task_->done() || task_->abandon()) task_->free(*task_);
    task_ = nullptr;
  }
  sched::spawned_result<R>* task_ = nullptr;
};

// Starts f as a task of its own; it is moved in, arguments are captures. std::bad_alloc when there is no memory for its record.
// On a worker it is the newest work of that worker; from another thread it goes to the workers in turn, and one is woken.
template <task_body F>
auto spawn(F&& f) {
  using body = std::decay_t<F>;
  using R = std::invoke_result_t<body&>;
  using record = sched::spawned<body, R>;
  static_assert(alignof(record) <= sched::block_cache::alignment, "hop::spawn: a closure aligned beyond a cache line");
  if (sched::worker* const w = sched::this_worker(); HOP_LIKELY(w != nullptr)) {
    const sched::task_context* context = w->context;
    if (HOP_UNLIKELY(context->for_spawned != nullptr)) context = context->for_spawned;
    if (HOP_UNLIKELY(context->passing)) {
      sched::task_context copy = *context;
      copy.stack = fiber::stack_class::small;
      auto* const t = sched::make_apart<body, R>(w, std::forward<F>(f), copy);
      w->push(*t);
      return task_handle<R>(*t);
    }
    void* const p = sched::take_record<record>(w);
    if (p == nullptr) throw std::bad_alloc();
    auto* const t = new (p) record(std::forward<F>(f), context);
    w->count(obs::counter::tasks_spawned);
    context->group->spawned(w->index);
    w->push(*t);
    return task_handle<R>(*t);
  }
  sched::pool& p = sched::pool_here();
  void* const room = sched::take_record<record>(nullptr);
  if (room == nullptr) throw std::bad_alloc();
  const sched::task_context& context = sched::outside_context(p);
  auto* const t = new (room) record(std::forward<F>(f), &context);
  context.group->spawned_outside();
  p.submit(*t, context.level);
  return task_handle<R>(*t);
}

// How a task differs from the one that spawns it.
struct spawn_options {
  priority level = priority::normal;
  fiber::stack_class stack = fiber::stack_class::small;  // large for what was written for threads
};

// The same for a task that stands in line with others of its class instead of being the newest work of its spawner.
template <task_body F>
auto spawn(F&& f, const spawn_options& options) {
  using body = std::decay_t<F>;
  using R = std::invoke_result_t<body&>;
  sched::worker* const w = sched::this_worker();
  sched::pool& p = sched::pool_here();
  sched::task_context context = w != nullptr ? *w->context : sched::outside_context(p);
  context.level = options.level;
  context.stack = options.stack;
  context.for_spawned = nullptr;
  auto* const t = sched::make_apart<body, R>(w, std::forward<F>(f), context);
  p.submit(*t, options.level);
  return task_handle<R>(*t);
}

}  // namespace hop
