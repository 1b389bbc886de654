// The visible operations: each stands at a choice point, then changes the memory.
#include <fmt/format.h>

#include "model/atomic.hpp"
#include "model/engine.hpp"
#include "model/futex.hpp"
#include "model/mutex.hpp"
#include "model/plain.hpp"
#include "model/source_line.hpp"
#include "model/thread.hpp"

namespace hop::model {

namespace {

engine& need_run() {
  if (engine::current() == nullptr) fail("a modelled operation outside a run", base::place::here());
  return *engine::current();
}

template <class... A>
void note(engine& e, const operation& op, fmt::format_string<A...> form, A&&... args) {
  if (!e.tracing()) return;
  e.note(fmt::format("{:<26} {}", fmt::format(form, std::forward<A>(args)...), source_line(op.where)));
}

// What the thread has polled becomes visible to it: a loop that polls does not see old values for ever.
void look_again(engine& e) {
  auto& t = e.self();
  for (const auto& read : t.read_since_spin) t.view.current.seen.raise(read.first, e.mem().newest(read.first));
  t.read_since_spin.clear();
}

// How a value reads in a trace: small ones as numbers, others (pointers) in hex.
std::string show(word v) {
  const auto s = static_cast<std::int64_t>(v);
  if (s > -100'000 && s < 100'000) return fmt::format("{}", s);
  const auto s32 = static_cast<std::int32_t>(v);
  if (v <= UINT32_MAX && s32 < 0 && s32 > -100'000) return fmt::format("{}", s32);
  return fmt::format("{:#x}", v);
}

const char* staleness(const memory& m, location_id x, std::uint32_t index) {
  return index == m.newest(x) ? "" : " (stale)";
}

}  // namespace

location_id new_location(word initial) {
  engine* e = engine::current();
  return e == nullptr ? add_static_location(initial) : e->mem().add(initial, e->self_index(), e->self().view);
}

word load_word(location_id x, std::memory_order written, const base::place& where) {
  engine& e = need_run();
  const std::memory_order o = effective_order(op_kind::load, written, where);
  const operation op{op_kind::load, o, x, where};
  e.step(op);
  auto& t = e.self();
  const std::uint32_t oldest = e.mem().oldest_readable(x, t.view, o);
  const std::uint32_t newest = e.mem().newest(x);
  const std::uint32_t index = newest - e.choose(newest - oldest + 1);
  e.mem().read(x, index, t.view, o);
  const word v = e.mem().at(x).stores[index].value;
  t.read_since_spin.emplace_back(x, v);
  note(e, op, "load  #{} {} -> {}{}", x, to_string(o), show(v), staleness(e.mem(), x, index));
  return v;
}

void store_word(location_id x, word v, std::memory_order written, const base::place& where) {
  engine& e = need_run();
  const std::memory_order o = effective_order(op_kind::store, written, where);
  const operation op{op_kind::store, o, x, where};
  e.step(op);
  e.mem().write(x, v, e.self_index(), e.self().view, o, nullptr);
  note(e, op, "store #{} {} = {}", x, to_string(o), show(v));
}

word rmw_word(location_id x, rmw_function next, word operand, std::memory_order written, const base::place& where) {
  engine& e = need_run();
  const std::memory_order o = effective_order(op_kind::rmw, written, where);
  const operation op{op_kind::rmw, o, x, where};
  e.step(op);
  auto& t = e.self();
  const std::uint32_t newest = e.mem().newest(x);
  e.mem().read(x, newest, t.view, o);
  const store_record before = e.mem().at(x).stores[newest];
  t.read_since_spin.emplace_back(x, before.value);
  const word after = next(before.value, operand);
  e.mem().write(x, after, e.self_index(), t.view, o, &before);
  note(e, op, "rmw   #{} {} {} -> {}", x, to_string(o), show(before.value), show(after));
  return before.value;
}

bool cas_word(location_id x, word& expected, word desired, bool weak, std::memory_order ok_written,
              std::memory_order fail_written, const base::place& where) {
  engine& e = need_run();
  const std::memory_order ok = effective_order(op_kind::rmw, ok_written, where);
  const std::memory_order fail_order = effective_order(op_kind::cas_failure, fail_written, where);
  const bool seq_cst = ok == std::memory_order_seq_cst || fail_order == std::memory_order_seq_cst;
  const operation op{op_kind::rmw, seq_cst ? std::memory_order_seq_cst : ok, x, where};
  e.step(op);
  auto& t = e.self();
  memory& m = e.mem();
  const std::uint32_t newest = m.newest(x);
  // First the ways to go on: succeed (or fail) on the newest, then fail on an older one that differs.
  std::vector<std::uint32_t> readable{newest};
  for (std::uint32_t i = newest; i-- > m.oldest_readable(x, t.view, fail_order);) {
    if (m.at(x).stores[i].value != expected) readable.push_back(i);
  }
  const bool would_succeed = m.at(x).stores[newest].value == expected;
  const bool may_fail_idly = weak && would_succeed && e.spurious() && t.spurious_left;
  const std::uint32_t choice = e.choose(static_cast<std::uint32_t>(readable.size()) + (may_fail_idly ? 1 : 0));
  if (choice == readable.size()) {
    t.spurious_left = false;
    t.spins_freely = true;
    m.read(x, newest, t.view, fail_order);
    note(e, op, "cas   #{} fails idly", x);
    return false;
  }
  const std::uint32_t index = readable[choice];
  const store_record before = m.at(x).stores[index];
  const bool success = index == newest && would_succeed;
  m.read(x, index, t.view, success ? ok : fail_order);
  t.read_since_spin.emplace_back(x, before.value);
  if (success) {
    m.write(x, desired, e.self_index(), t.view, ok, &before);
    note(e, op, "cas   #{} {} {} -> {}", x, to_string(ok), show(before.value), show(desired));
    return true;
  }
  note(e, op, "cas   #{} fails: {}{}", x, show(before.value), staleness(m, x, index));
  expected = before.value;
  return false;
}

void fence(std::memory_order written, const base::place& where) {
  engine& e = need_run();
  const std::memory_order o = effective_order(op_kind::fence, written, where);
  const operation op{op_kind::fence, o, 0, where};
  e.step(op);
  e.mem().fence(e.self().view, o);
  note(e, op, "fence {}", to_string(o));
}

void spin_hint(base::place where) {
  engine& e = need_run();
  const operation op{op_kind::spin, std::memory_order_relaxed, 0, where};
  e.step(op);
  auto& t = e.self();
  const bool idle = !t.spins_freely && !t.read_since_spin.empty() && !e.spin_sees_change(t);
  if (idle) t.idle_spin_left = false;
  look_again(e);
  t.spins_freely = false;
  note(e, op, "spin{}", idle ? ", though nothing changed" : "");
}

thread_id start_thread(const char* name, base::unique_function<void()> body, base::place where) {
  engine& e = need_run();
  const operation op{op_kind::start, std::memory_order_relaxed, 0, where};
  const thread_id t = e.start(name, std::move(body));
  note(e, op, "start {}", name);
  return t;
}

void join_thread(thread_id t, base::place where) {
  engine& e = need_run();
  const operation op{op_kind::join, std::memory_order_relaxed, t, where};
  e.step(op);
  e.self().view.current.join(e.thread(t).view.current);
  note(e, op, "join  {}", e.thread(t).name);
}

void* thread_word() { return need_run().self().own_word; }
void set_thread_word(void* p) { need_run().self().own_word = p; }

mutex::mutex() : id_(new_location(0)) {}

void mutex::lock(base::place where) {
  engine& e = need_run();
  const operation op{op_kind::lock, std::memory_order_acquire, id_, where};
  e.step(op);
  location& l = e.mem().at(id_);
  l.mutex_held = true;
  l.mutex_owner = e.self_index();
  e.self().view.current.join(l.mutex_carried);
  note(e, op, "lock  #{}", id_);
}

bool mutex::try_lock(base::place where) {
  engine& e = need_run();
  const operation op{op_kind::rmw, std::memory_order_acquire, id_, where};
  e.step(op);
  location& l = e.mem().at(id_);
  note(e, op, "try_lock #{} {}", id_, l.mutex_held ? "held" : "taken");
  if (l.mutex_held) return false;
  l.mutex_held = true;
  l.mutex_owner = e.self_index();
  e.self().view.current.join(l.mutex_carried);
  return true;
}

void mutex::unlock(base::place where) {
  engine& e = need_run();
  const operation op{op_kind::unlock, std::memory_order_release, id_, where};
  e.step(op);
  location& l = e.mem().at(id_);
  if (!l.mutex_held || l.mutex_owner != e.self_index()) fail("unlock by a thread that does not hold the mutex", where);
  l.mutex_held = false;
  l.mutex_carried = e.self().view.current;
  note(e, op, "unlock #{}", id_);
}

futex_outcome futex_wait_word(location_id x, word expected, bool timed, const base::place& where) {
  engine& e = need_run();
  const operation op{op_kind::futex_wait, std::memory_order_relaxed, x, where};
  e.step(op);
  auto& t = e.self();
  // The kernel compares under the lock of its queue, so it sees what a caller of an earlier futex call on this word saw. A
  // store that nobody followed by a wake may still sit in a buffer: the comparison can miss it, as any load can.
  location& l = e.mem().at(x);
  const std::uint32_t oldest = std::max(l.kernel_seen, e.mem().oldest_readable(x, t.view, op.order));
  const std::uint32_t newest = e.mem().newest(x);
  const std::uint32_t index = newest - e.choose(newest - oldest + 1);
  t.view.current.seen.raise(x, index);
  l.kernel_seen = index;
  const word v = l.stores[index].value;
  t.read_since_spin.emplace_back(x, v);
  if (v != expected) {
    note(e, op, "futex_wait #{}: {} is not {}", x, show(v), show(expected));
    return futex_outcome::changed;
  }
  note(e, op, "futex_wait #{}: asleep on {}{}", x, show(v), staleness(e.mem(), x, index));
  t.futex_waiting = true;
  t.futex_woken = false;
  const operation wake_up{op_kind::futex_woken, std::memory_order_relaxed, x, where, timed};
  e.step(wake_up);
  t.futex_waiting = false;
  t.spins_freely = true;
  const bool woken = t.futex_woken;
  if (!woken && timed) {
    if (!t.timeout_left) look_again(e);  // all others stood still meanwhile: that was a long time
    t.timeout_left = false;
    e.advance_clock();
  }
  if (!woken && !timed) t.spurious_left = false;
  note(e, wake_up, "futex #{}: {}", x, woken ? "woken" : timed ? "timed out" : "returns for no reason");
  return !woken && timed ? futex_outcome::timed_out : futex_outcome::woken;
}

int futex_wake_word(location_id x, int count, const base::place& where) {
  engine& e = need_run();
  const operation op{op_kind::futex_wake, std::memory_order_relaxed, x, where};
  e.step(op);
  location& l = e.mem().at(x);
  l.kernel_seen = std::max(l.kernel_seen, e.self().view.current.seen.at(x));
  int woken = 0;
  for (; woken < count; ++woken) {
    std::vector<thread_index> asleep;
    for (thread_index i = 0; i < e.thread_count(); ++i) {
      const auto& t = e.thread(i);
      if (t.futex_waiting && !t.futex_woken && t.pending.kind == op_kind::futex_woken && t.pending.location == x)
        asleep.push_back(i);
    }
    if (asleep.empty()) break;
    const std::uint32_t pick =
        count >= static_cast<int>(asleep.size()) ? 0 : e.choose(static_cast<std::uint32_t>(asleep.size()));
    e.thread(asleep[pick]).futex_woken = true;
  }
  note(e, op, "futex_wake #{}: {} woken", x, woken);
  return woken;
}

void race_guard::on_read(const base::place& where) const {
  engine* e = engine::current();
  if (e == nullptr) return;
  const thread_index me = e->self_index();
  const vector_clock& now = e->self().view.current.clock;
  if (write_.time != 0 && writer_ != me && now.at(writer_) < write_.time) {
    e->fail_here(fmt::format("race: read at {}:{} in {} while {} wrote at {}:{}", file_part(where.file), where.line,
                             where.function, e->thread(writer_).name, file_part(write_.where.file), write_.where.line));
  }
  reads_[me] = {now.at(me) + 1, where};  // after the last operation, before the next
}

void race_guard::on_write(const base::place& where) const {
  engine* e = engine::current();
  if (e == nullptr) return;
  const thread_index me = e->self_index();
  const vector_clock& now = e->self().view.current.clock;
  if (write_.time != 0 && writer_ != me && now.at(writer_) < write_.time) {
    e->fail_here(fmt::format("race: write at {}:{} in {} while {} wrote at {}:{}", file_part(where.file), where.line,
                             where.function, e->thread(writer_).name, file_part(write_.where.file), write_.where.line));
  }
  for (thread_index i = 0; i < max_threads; ++i) {
    if (i == me || reads_[i].time == 0 || now.at(i) >= reads_[i].time) continue;
    e->fail_here(fmt::format("race: write at {}:{} in {} while {} read at {}:{}", file_part(where.file), where.line,
                             where.function, e->thread(i).name, file_part(reads_[i].where.file), reads_[i].where.line));
  }
  writer_ = me;
  write_ = {now.at(me) + 1, where};
}

}  // namespace hop::model
