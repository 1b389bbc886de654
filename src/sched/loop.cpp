// What a worker does between tasks.
#include <algorithm>
#include <array>

#include <hop/base/fence.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/sched/pool.hpp>

#include "sched/sysmon.hpp"

namespace hop::sched {

namespace {

constexpr std::uint32_t yields_before_sleep = 32;
constexpr std::uint32_t steal_batch = 16;

void put_by_after(departure& d, worker& w) {
  d.left->say(flow_state::idle);
  w.put_by(*d.left);
}

void ended(departure&, worker&) {}

// A class waits behind a higher one, but not for ever: after so long it comes first.
constexpr std::array<std::uint32_t, priority_count> patience_us{0, 10'000, 50'000};

bool aged(worker& w, std::size_t level, std::uint32_t now_us) {
  bool old = false;
  const bool there = w.in[level].peek([&](const linked_task& t) { old = now_us - t.arrived_us >= patience_us[level]; });
  return there && old;
}

// Higher classes first, within a class the oldest; one that has lost its patience before all of them.
task* take_inbox(worker& w) {
  const bool high = !w.in[0].seems_empty(), normal = !w.in[1].seems_empty(), low = !w.in[2].seems_empty();
  if (HOP_UNLIKELY((low && (normal || high)) || (normal && high))) {
    const std::uint32_t now = w.home->coarse_us();
    for (std::size_t level = priority_count - 1; level != 0; --level) {
      if (!aged(w, level, now)) continue;
      if (task* const t = w.in[level].take()) return t;
    }
  }
  for (auto& box : w.in) {
    if (task* const t = box.take()) return t;
  }
  return nullptr;
}

// What other threads gave us, and flows that stepped back.
task* take_ordered(worker& w) {
  if (task* const t = w.yielded.take()) return t;
  return take_inbox(w);
}

task* steal_from(worker& w, worker& victim) {
  std::array<task*, steal_batch> loot;
  const std::uint32_t n = victim.local.steal(loot.data(), steal_batch);
  if (n != 0 && n != victim.local.lost) {
    w.count(obs::counter::steals, n);
    for (std::uint32_t i = 1; i < n; ++i) w.push_silently(*loot[i]);
    return loot[0];
  }
  if (task* const t = victim.overflow.take_oldest()) return t;
  if (task* const t = take_ordered(victim)) return t;
  if (victim.local.has_private()) victim.local.ask();
  return nullptr;
}

task* steal(worker& w) {
  task* got = nullptr;
  w.home->any_seat(w.random.below(static_cast<std::uint32_t>(w.home->seats_in_use())), [&](worker& victim) {
    if (&victim != &w) got = steal_from(w, victim);
    return got != nullptr;
  });
  return got;
}

// Only what stands in line, at whomever's: the relief's share.
task* steal_ordered(worker& w) {
  task* got = nullptr;
  w.home->any_seat(0, [&](worker& victim) {
    got = take_ordered(victim);
    return got != nullptr;
  });
  return got;
}

task* look(worker& w) {
  w.step();
  if (task* const t = w.carried) {
    w.carried = nullptr;
    return t;
  }
  if (++w.tick % look_around_every == 0) {
    if (task* const t = take_ordered(w)) return t;
  }
  if (HOP_UNLIKELY(w.pins != 0) && w.tick % 2 == 0) {  // by turns: neither they nor the others starve
    if (task* const t = w.pinned.take()) return t;
  }
  if (task* const t = w.pop()) return t;
  if (task* const t = w.overflow.take_newest()) return t;
  if (task* const t = take_ordered(w)) return t;
  if (task* const t = w.pinned.take()) return t;
  return w.as == worker::role::relief ? steal_ordered(w) : steal(w);
}

// Runs `t`, or switches to it. Returns the worker that stands here afterwards.
worker& execute(worker& w, flow& me, task& t) {
  w.hops = 0;
  if (t.is(flow::resumes)) {
    departure d{&put_by_after};
    return leave(w, flow::of(t), d);
  }
  const fiber::stack_class wanted = t.context()->stack;
  if (wanted != me.self->where().cls) {
    flow* const to = w.try_loop_flow(wanted);
    if (to == nullptr) {  // every stack of that class is in use: after others, who may give one back
      task* const later = &t;
      if (!w.overflow.push(&later, 1)) w.push_silently(t);
      w.tick = look_around_every - 1;  // what stands in line comes first now
      base::os_yield();
      return w;
    }
    w.carried = &t;
    departure d{&put_by_after};
    return leave(w, *to, d);
  }
  // It may take long: what else we have is for those who have nothing.
  if (w.home->board().counts().inactive() != 0 && w.local.share_all()) w.tell();
  w.count(obs::counter::tasks_run);
  me.task_id = w.next_id += w.home->seats();
  w.context = t.context();
  t.kind().run(t, w);
  if (HOP_UNLIKELY(me.named)) {
    me.self->set_name("task");
    me.self->set_status("");
    me.named = false;
  }
  return *this_worker();
}

}  // namespace

task* find_work(worker& w) {
  pool& p = *w.home;
  if (HOP_UNLIKELY(w.stir_later)) {
    w.stir_later = false;
    // pairs: sysmon::rest(). W1: it sees us work, or we see it rest.
    base::fence_seq_cst();
    p.watcher_stir();
  }
  const bool permanent = w.as == worker::role::loop;
  if (!permanent && w.pins == 0 && p.take_surplus()) {
    if (w.local.share_all()) w.tell();
    return w.carried == nullptr ? nullptr : look(w);
  }
  if (task* const t = look(w)) return t;
  sleep_board& board = p.board();
  board.start_looking();
  const auto found = [&](task* t) {
    // A poster may have counted on us to look, and passed over a sleeper: then what it posted is still there.
    if (board.work_found() && p.anything_waiting()) w.count(obs::counter::wakes, board.wake(1));
    w.stir_later = true;  // after the first task: waking the watcher costs more than most tasks
    return t;
  };
  for (;;) {
    for (std::uint32_t i = 0; i < yields_before_sleep; ++i) {
      if (task* const t = look(w)) return found(t);
      if (p.stopping()) return found(nullptr);
      base::os_yield();
    }
    if (!permanent && w.pins == 0) return found(nullptr);
    if (!permanent) continue;  // a spare with a flow pinned to it has no bed: it goes on looking
    const std::uint32_t ticket = board.announce();
    p.ask_all(w);
    if (task* const t = look(w)) return found(t);
    if (p.stopping()) return found(nullptr);
    if (board.try_sleep(w.index, ticket,
                        [&] { return p.stopping() || !w.pinned.seems_empty() || p.anything_waiting(); }))
      w.count(obs::counter::sleeps);
  }
}

fiber::handover loop_main(fiber::fiber& self, void* payload) {
  flow& me = *static_cast<flow*>(self.extra());
  worker* w = &arrive(me, payload);
  for (;;) {
    me.say(flow_state::running);
    task* const t = find_work(*w);
    if (t == nullptr) break;
    w = &execute(*w, me, *t);
  }
  w->last_loop = &me;
  w->last = departure{&ended, w, &me};
  return {w->thread_flow->self, &w->last};
}

bool pool::anything_ordered() {
  return any_seat(0, [](worker& w) {
    if (!w.yielded.empty()) return true;
    for (const auto& box : w.in) {
      if (!box.seems_empty()) return true;
    }
    return false;
  });
}

bool pool::anything_waiting() {
  return any_seat(0, [](worker& w) { return w.local.has_shared() || !w.overflow.seems_empty(); }) || anything_ordered();
}

void pool::ask_all(const worker& me) {
  any_seat(0, [&me](worker& w) {
    if (&w != &me) w.local.ask();
    return false;
  });
}

void pool::watcher_stir() { sysmon_->stir(); }

void pool::timer_added() {
  // pairs: sysmon::rest(). W1: it sees the timer, or we see it rest.
  base::fence_seq_cst();
  sysmon_->stir();
}

base::instant pool::next_timer() {
  base::instant next = base::never;
  any_seat(0, [&next](worker& w) {
    next = std::min(next, w.alarms.next());
    return false;
  });
  return next;
}

base::instant pool::ring_timers(base::instant now) {
  any_seat(0, [now](worker& w) {
    w.alarms.ring(now);
    return false;
  });
  return next_timer();
}

}  // namespace hop::sched
