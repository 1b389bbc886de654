// hop::affine: a thread of its own for a library that must always be called from the same one.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <hop/base/atomic.hpp>
#include <hop/base/cache_line.hpp>
#include <hop/base/thread.hpp>
#include <hop/sched/inbox.hpp>
#include <hop/sched/runtime.hpp>

namespace hop {

// Calls come from any fiber or thread and run one after the other, in the order they came, on the one thread.
class affine {
 public:
  // The kernel shows the first 15 bytes of the name. Throws std::system_error where no thread is to be had.
  HOP_EXPORT explicit affine(const char* name);
  // After what was asked for before has run.
  HOP_EXPORT ~affine();
  affine(const affine&) = delete;
  affine& operator=(const affine&) = delete;

  // Runs f over there and returns what it returns or throws; a fiber parks meanwhile. What the caller did is seen by f, and what
  // f did by the caller. Not from inside f itself.
  template <task_body F>
  auto run(F&& f) {
    sched::root_task<std::remove_reference_t<F>> call(f, nullptr);
    submit(call);
    sched::wait_for_task(call);
    if (call.error != nullptr) std::rethrow_exception(call.error);
    if constexpr (!std::is_void_v<std::invoke_result_t<F&>>) return std::move(*call.value);
  }

 private:
  HOP_EXPORT void submit(sched::linked_task& t);
  void main();

  sched::inbox<sched::linked_task> calls_;
  base::atomic<std::uint32_t> news_{0};  // changes with every call
  base::atomic<bool> closing_{false};
  base::thread thread_;
};

}  // namespace hop
