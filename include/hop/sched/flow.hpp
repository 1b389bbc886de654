// A flow: a stack and what runs on it. It lies at the top of its stack, beside the fiber's control block.
#pragma once

#include <cstdint>

#include <hop/fiber/fiber.hpp>
#include <hop/sched/parker.hpp>
#include <hop/sched/task.hpp>

namespace hop::sched {

class pool;
class worker;

// For reports: nothing is concluded from it (F1).
enum class flow_state : std::uint8_t {
  idle,     // a loop that no worker stands on; in a worker's cache
  running,  // a worker stands on it
  waiting,  // its task parked; whoever it waits for will queue it
  ready,    // in a queue
};

struct flow {
  flow(fiber::fiber& on, pool& of) noexcept : ready(resumes, nullptr), self(&on), home(&of), own(this) {}

  // In every queue a flow is this task.
  linked_task ready;
  fiber::fiber* self;
  pool* home;
  const task_context* context = nullptr;  // of its task, while it is away from a worker
  std::uint64_t task_id = 0;              // of the task that runs on it
  parker own;
  worker* pinned_to = nullptr;  // the one that may run it
  bool named = false;           // its task gave it a name or a status
  base::atomic<flow_state> state{flow_state::running};
  park_reason reason{};

  static const task_kind resumes;  // never called as a task: a worker switches to the flow
  [[nodiscard]] static flow& of(task& t) noexcept {
    return *reinterpret_cast<flow*>(&static_cast<linked_task&>(t));  // ready is its first member
  }
  void say(flow_state s) noexcept {
    state.store(s, std::memory_order_relaxed);  // order: relaxed; for reports
  }
};

// What is done for a flow that was left, on the stack that was gone to, by the worker that went. `after` publishes the flow and
// must not touch it or the departure afterwards.
struct departure {
  void (*after)(departure& d, worker& w);
  worker* at = nullptr;
  flow* left = nullptr;
};

}  // namespace hop::sched
