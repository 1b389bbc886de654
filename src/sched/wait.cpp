#include <hop/sched/pool.hpp>
#include <hop/sched/worker.hpp>

namespace hop::sched {

worker& wait(worker& w, departure& d, const park_reason& why) {
  w.count(obs::counter::parks);
  w.current->reason = why;
  w.current->say(flow_state::waiting);
  worker& now = suspend(w, d);
  now.current->say(flow_state::running);
  now.count(obs::counter::unparks);
  return now;
}

void wait_for_task(task& t) {
  if (t.done()) return;
  worker* const w = this_worker();
  if (w == nullptr || w->current == nullptr) {  // a plain thread, or a guest on its own
    waiter mine;
    if (w != nullptr && w->local.share_all()) w->tell();
    if (t.add_waiter(mine)) mine.sleep();
    return;
  }
  task_departure d(t, *w->current);
  wait(*w, d, {"join", &t});
}

namespace {

struct group_departure : departure {
  group_departure(run_group& g, flow& me) noexcept : departure{&publish}, group(&g) { entry.who = &me; }
  run_group* group;
  waiter entry;

  static void publish(departure& d, worker& w) {
    auto& self = static_cast<group_departure&>(d);
    flow& left = *d.left;
    if (!self.group->close(self.entry)) make_ready(&w, left, turn::next);
  }
};

}  // namespace

void wait_for_group(run_group& g) {
  worker* const w = this_worker();
  if (w == nullptr || w->current == nullptr) {
    waiter mine;
    if (g.close(mine)) mine.sleep();
    return;
  }
  group_departure d(g, *w->current);
  wait(*w, d, {"end of a run", &g});
}

void make_ready(worker* by, flow& f, turn when) {
  f.say(flow_state::ready);
  if (HOP_UNLIKELY(f.pinned_to != nullptr)) return f.home->submit_pinned(*f.pinned_to, f.ready);
  if (by == nullptr || by->home != f.home || by->current == nullptr) return f.home->submit(f.ready);
  if (when == turn::next) {
    by->push_silently(f.ready);
  } else {
    by->push_ready(f);
  }
}

void wake_waiters(waiter* first) {
  worker* const w = this_worker();
  turn when = turn::next;
  while (first != nullptr) {
    waiter* const after = first->next;  // the waiter may be gone once it is woken
    if (first->who != nullptr) {
      make_ready(w, *first->who, when);
      when = turn::in_line;
    } else {
      first->wake_thread();
    }
    first = after;
  }
}

void run_group::wake(waiter& w) { wake_waiters(&w); }

}  // namespace hop::sched
