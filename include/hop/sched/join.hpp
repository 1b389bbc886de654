// hop::join(a, b, ...): runs all of them, perhaps at the same time, and returns what they return.
#pragma once

#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <hop/sched/guest.hpp>
#include <hop/sched/worker.hpp>

namespace hop {

// What a function that returns nothing gives to a tuple of results.
struct nothing {
  bool operator==(const nothing&) const = default;
};

namespace sched {

template <class F>
using result_of = std::conditional_t<std::is_void_v<std::invoke_result_t<F&>>, nothing, std::invoke_result_t<F&>>;

template <class F>
HOP_ALWAYS_INLINE result_of<F> call(F& f) {
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return {};
  } else {
    return f();
  }
}

// The other half of a join, in the joiner's frame. If it is never taken by anybody else nothing of it but the word, which says
// what it is, is written or read.
template <class F>
class join_task : public task {
 public:
  using value = result_of<F>;

  join_task(F& f, const task_context* inherited) noexcept : task(kind_of, inherited), f_(&f) {}
  join_task(const join_task&) = delete;
  join_task& operator=(const join_task&) = delete;
  ~join_task() {}  // what another has left here is taken by take()

  // After it was run by another.
  [[nodiscard]] value take() {
    if (failed_) [[unlikely]] {
      const std::exception_ptr thrown = std::move(error_);
      std::destroy_at(&error_);
      std::rethrow_exception(thrown);
    }
    value v = std::move(value_);
    std::destroy_at(&value_);
    return v;
  }
  // After it was run by another, and nobody wants to know.
  void drop() noexcept {
    if (failed_) {
      std::destroy_at(&error_);
    } else {
      std::destroy_at(&value_);
    }
  }

 private:
  static void run(task& t, worker&) {
    auto& self = static_cast<join_task&>(t);
    try {
      std::construct_at(&self.value_, call(*self.f_));
      self.failed_ = false;
    } catch (...) {
      std::construct_at(&self.error_, std::current_exception());
      self.failed_ = true;
    }
    wake_waiters(self.finish().waiters);
  }
  static constexpr task_kind kind_of{&run, "join"};

  F* f_;
  union {
    value value_;
    std::exception_ptr error_;
  };
  bool failed_;
};

// a() has thrown: b must not outlive this frame. Not started: it never will be. Else we wait.
template <class F>
HOP_NOINLINE void abandon(join_task<F>& b) {
  if (this_worker()->pop_if(b)) return;
  wait_for_task(b);
  b.drop();
}

template <class A, class B>
HOP_ALWAYS_INLINE std::tuple<result_of<A>, result_of<B>> join_on(worker& w, A& a, B& b) {
  join_task<B> other(b, w.context);
  w.push(other);
  auto first = [&]() -> result_of<A> {
    try {
      return call(a);
    } catch (...) {
      abandon(other);
      throw;
    }
  }();
  if (HOP_LIKELY(this_worker()->pop_if(other))) return {std::move(first), call(b)};
  wait_for_task(other);
  return {std::move(first), other.take()};
}

template <class A, class B>
std::tuple<result_of<A>, result_of<B>> join_here(A& a, B& b) {
  if (worker* const w = this_worker(); HOP_LIKELY(w != nullptr)) return join_on(*w, a, b);
  const guest_seat seat;
  if (seat.worker_here() == nullptr) return {call(a), call(b)};  // more guests than seats: alone, and right
  return join_on(*seat.worker_here(), a, b);
}

}  // namespace sched

template <class F>
concept task_body = std::is_invocable_v < std::decay_t<F>
& > ;

// Runs a here and offers b to other workers; returns both results (hop::nothing for void). Everything either did happens-before
// the return. If a throws, b is not started any more, or waited for; then the exception goes on. If only b throws, its exception
// arrives here. Legal everywhere: on a fiber that waits, it parks; an outside thread takes part for the length of the call.
template <task_body A, task_body B>
HOP_ALWAYS_INLINE auto join(A&& a, B&& b) {
  return sched::join_here(a, b);
}

// More than two: as a balanced tree of two.
template <task_body A, task_body B, task_body... Rest>
requires(sizeof...(Rest) > 0) auto join(A&& a, B&& b, Rest&&... rest) {
  auto first = [&] { return std::tuple<sched::result_of<A>>{sched::call(a)}; };
  auto others = [&] { return join(b, rest...); };
  auto [x, xs] = sched::join_here(first, others);
  return std::tuple_cat(std::move(x), std::move(xs));
}

}  // namespace hop
