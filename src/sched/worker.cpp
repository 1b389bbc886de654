#include <hop/sched/worker.hpp>

#include <algorithm>
#include <array>
#include <new>

#include <hop/base/spin_hint.hpp>
#include <hop/sched/pool.hpp>

namespace hop::sched {

constinit const task_kind flow::resumes{nullptr, "flow"};

void worker::tell() { home->post(*this); }

void worker::answer() {
  if (local.answer()) tell();
}

void worker::push_slow(task& t) {
  // The oldest half goes to the spill, in order; what thieves take meanwhile is gone already.
  constexpr std::uint32_t batch = 64;
  std::array<task*, batch> oldest;
  bool moved = false;
  local.share_all();
  for (std::uint32_t left = local.capacity() / 2; left != 0;) {
    const std::uint32_t n = local.steal(oldest.data(), std::min(left, batch));
    if (n == 0) break;
    if (n == local.lost) continue;
    if (!overflow.push(oldest.data(), n)) {
      // No memory: run them here and now, oldest first. Deep, but nothing is lost.
      for (std::uint32_t i = 0; i < n; ++i) run_now(*oldest[i]);
    }
    moved = true;
    left -= std::min(left, n);
  }
  if (moved) count(obs::counter::spills);
  tell();
  worker* const w = this_worker();  // run_now() may have parked
  if (!w->local.push(&t)) w->run_now(t);
}

void worker::run_now(task& t) {
  if (t.is(flow::resumes)) {  // a flow cannot be called; its inbox has no bound
    home->submit_to(*this, static_cast<linked_task&>(t));
    return;
  }
  count(obs::counter::run_at_once);
  const task_context* const mine = context;
  context = t.context();
  t.kind().run(t, *this);
  this_worker()->context = mine;
}

void worker::push_ready(flow& f) {
  f.say(flow_state::ready);
  if (yielded.push(&f.ready)) {
    tell();
  } else {
    home->submit_to(*this, f.ready);
  }
}

flow* worker::make_loop_flow(fiber::stack_class cls) {
  auto made = fiber::fiber::create(*stacks, {.name = "task", .cls = cls, .extra_bytes = sizeof(flow)}, loop_main);
  if (!made) {
    count(obs::counter::stack_waits);
    return nullptr;
  }
  fiber::fiber& f = **made;
  auto* const fl = new (f.extra()) flow(f, *home);
  f.word().enqueue_new();
  const bool ours = f.word().begin_run();
  HOP_ASSERT(ours, "sched: a new flow is ours");
  count(obs::counter::stacks_taken);
  return fl;
}

flow& worker::new_loop_flow(fiber::stack_class cls) {
  for (;;) {
    if (flow* const made = make_loop_flow(cls)) return *made;
    // Every stack is in use. A flow that is ready brings its own, and may give it back; else others will.
    if (task* const t = yielded.take()) return flow::of(*t);
    base::os_yield();
  }
}

void worker::destroy(flow& f) {
  f.self->word().finish();
  count(obs::counter::stacks_returned);
  fiber::fiber::destroy(*stacks, f.self);
}

void worker::destroy_idle() {
  for (idle_list& l : idle_) {
    while (l.count != 0) destroy(*l.items[--l.count]);
  }
}

}  // namespace hop::sched
