#include <hop/sched/this_fiber.hpp>

#include <hop/base/spin_hint.hpp>
#include <hop/sched/pool.hpp>

namespace hop::this_fiber {

namespace {

using sched::departure;
using sched::flow;
using sched::task;
using sched::this_worker;
using sched::worker;

flow* here() noexcept {
  worker* const w = this_worker();
  return w == nullptr ? nullptr : w->current;
}

void step_back(departure& d, worker& w) {
  flow& left = *d.left;
  left.say(sched::flow_state::ready);
  if (HOP_UNLIKELY(left.pinned_to != nullptr)) return w.home->submit_pinned(w, left.ready);
  if (!w.yielded.push(&left.ready)) w.home->submit_to(w, left.ready);
}

}  // namespace

std::uint64_t id() noexcept {
  const flow* const f = here();
  return f == nullptr ? 0 : f->task_id;
}

void status(const char* text) noexcept {
  if (flow* const f = here()) {
    f->self->set_status(text);
    f->named = true;
  }
}
const char* status() noexcept {
  const flow* const f = here();
  return f == nullptr ? "" : f->self->status();
}

void name(std::string_view text) noexcept {
  if (flow* const f = here()) {
    f->self->set_name(text);
    f->named = true;
  }
}
std::string_view name() noexcept {
  const flow* const f = here();
  return f == nullptr ? std::string_view() : f->self->name();
}

void yield() {
  worker* const w = this_worker();
  if (w == nullptr || w->current == nullptr) return base::os_yield();
  departure d{&step_back};
  if (HOP_LIKELY(w->hops < sched::hop_budget)) {
    task* const t = w->yielded.take();
    if (HOP_LIKELY(t != nullptr)) {
      ++w->hops;
      leave(*w, flow::of(*t), d).current->say(sched::flow_state::running);
      return;
    }
  }
  leave(*w, w->loop_flow(fiber::stack_class::small), d).current->say(sched::flow_state::running);
}

}  // namespace hop::this_fiber
