#include "model/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "model/source_line.hpp"

namespace hop::model {

namespace ctx = boost::context::detail;

namespace {

engine* running_engine = nullptr;
ctx::fcontext_t scheduler_context = nullptr;
std::uint64_t seed_of_search = 1;

void leave_to_scheduler(ctx::fcontext_t* save) {
  const ctx::transfer_t back = ctx::jump_fcontext(scheduler_context, save);
  scheduler_context = back.fctx;
}

// First frame of every modelled thread. Never returns: the last jump abandons the stack.
void thread_main(ctx::transfer_t from) {
  scheduler_context = from.fctx;
  engine& e = *running_engine;
  try {
    e.self().body();
  } catch (const std::exception& x) {
    e.on_unhandled_exception(x.what());
  } catch (...) {
    e.on_unhandled_exception("of unknown type");
  }
  e.self().body.reset();
  e.on_thread_end();
  leave_to_scheduler(nullptr);
  std::abort();
}

}  // namespace

engine* engine::current() { return running_engine; }

run_outcome engine::run(const std::function<void()>& body, chooser& decide, const run_options& options) {
  engine e{decide, options};
  running_engine = &e;
  e.threads_.reserve(max_threads);
  decide.begin_run();
  e.start("main", [&body] { body(); });
  e.loop();
  running_engine = nullptr;
  // After a finding the stacks still hold live frames of the program under test: they are left behind, not reused.
  for (thread_record& t : e.threads_) {
    if (e.outcome_.failure) {
      static_cast<void>(t.stack.memory.release());
    } else {
      stack_store::give(std::move(t.stack.memory));
    }
  }
  return std::move(e.outcome_);
}

thread_index engine::start(std::string name, base::unique_function<void()> body) {
  if (threads_.size() == max_threads) fail_here(fmt::format("more than {} threads in one model run", max_threads));
  thread_record t;
  t.name = std::move(name);
  t.body = std::move(body);
  t.stack.memory = stack_store::take();
  t.stack.context = ctx::make_fcontext(t.stack.memory.get() + model_stack_bytes, model_stack_bytes, thread_main);
  if (!threads_.empty()) {
    // What the starter did happens before. Its fences stay its own: they work through what is sequenced after them.
    self().view.current.clock.tick(running_);
    t.view.current = self().view.current;
  }
  threads_.push_back(std::move(t));
  const auto index = static_cast<thread_index>(threads_.size() - 1);
  threads_[index].view.current.clock.tick(index);
  return index;
}

void engine::loop() {
  while (!outcome_.failure) {
    const auto [can, really] = who_can();
    if (really == 0) {
      for (const thread_record& t : threads_) {
        if (!t.finished) {
          outcome_.failure = "nobody can go on:\n" + where_everybody_stands();
          break;
        }
      }
      return;
    }
    if (++outcome_.steps > options_.max_steps) {
      outcome_.failure = fmt::format("no end after {} steps:\n{}", options_.max_steps, where_everybody_stands());
      return;
    }
    std::array<operation, max_threads> pending;
    for (std::size_t i = 0; i < threads_.size(); ++i) pending[i] = threads_[i].pending;
    thread_index next = last_ && (really >> *last_ & 1u) ? *last_ : static_cast<thread_index>(__builtin_ctz(really));
    if (!outcome_.pruned) {
      const auto picked = decide_.pick_thread({can, last_, &pending});
      // A run seen before is still brought to its end, so that its objects are destroyed; nothing branches from it.
      if (!picked) outcome_.pruned = true;
      next = picked.value_or(next);
    }
    outcome_.choices.push_back(next);
    last_ = running_ = next;
    const ctx::transfer_t back = ctx::jump_fcontext(threads_[next].stack.context, nullptr);
    if (back.data != nullptr) *static_cast<ctx::fcontext_t*>(back.data) = back.fctx;
  }
}

void engine::step(const operation& op) {
  self().pending = op;
  leave_to_scheduler(&self().stack.context);
  self().view.current.clock.tick(running_);
}

std::uint32_t engine::choose(std::uint32_t count) {
  if (count <= 1) return 0;
  const std::uint32_t v = outcome_.pruned ? 0 : decide_.pick_value(count);
  outcome_.choices.push_back(v);
  return v;
}

void engine::fail_here(std::string what) {
  outcome_.failure = std::move(what);
  if (tracing()) note("FINDING: " + *outcome_.failure);
  leave_to_scheduler(nullptr);
  std::abort();
}

void engine::note(std::string text) {
  if (tracing()) outcome_.trace.push_back(fmt::format("{:>8}  {}", threads_[running_].name, text));
}

void engine::on_unhandled_exception(const char* what) {
  fail_here(fmt::format("an exception left thread {}: {}", self().name, what));
}

void engine::on_thread_end() {
  self().view.current.clock.tick(running_);
  self().finished = true;
}

engine::standing engine::who_can() const {
  standing s;
  thread_mask timed = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const thread_record& t = threads_[i];
    if (t.finished) continue;
    if (can_go_on(t)) s.really |= 1u << i;
    if (can_return_idly(t)) s.can |= 1u << i;
    if (t.pending.kind == op_kind::futex_woken && t.pending.timed) timed |= 1u << i;
  }
  if (s.really == 0) s.really = timed;  // nothing else happens: time passes
  s.can |= s.really;
  return s;
}

bool engine::can_go_on(const thread_record& t) const {
  switch (t.pending.kind) {
    case op_kind::lock:
      return !memory_.at(t.pending.location).mutex_held;
    case op_kind::join:
      return threads_[t.pending.location].finished;
    case op_kind::futex_woken:
      return t.futex_woken || (t.pending.timed && t.timeout_left);
    case op_kind::spin:
      // An idle turn is a real one: a loop that gives up is no endless loop. But it is not had twice.
      return t.spins_freely || t.read_since_spin.empty() || (options_.spurious && t.idle_spin_left) ||
             spin_sees_change(t);
    default:
      return true;
  }
}

bool engine::spin_sees_change(const thread_record& t) const {
  return std::any_of(t.read_since_spin.begin(), t.read_since_spin.end(),
                     [&](const auto& read) { return memory_.at(read.first).stores.back().value != read.second; });
}

bool engine::can_return_idly(const thread_record& t) const {
  return t.pending.kind == op_kind::futex_woken && !t.pending.timed && options_.spurious && t.spurious_left;
}

std::string engine::where_everybody_stands() {
  std::string text;
  for (const thread_record& t : threads_) {
    if (t.finished) {
      text += fmt::format("  {:>8}: at its end\n", t.name);
      continue;
    }
    const operation& o = t.pending;
    text += fmt::format("  {:>8}: {} at {}:{} in {}\n", t.name,
                        o.kind == op_kind::futex_woken ? "asleep in futex_wait" : to_string(o.kind),
                        file_part(o.where.file), o.where.line, o.where.function);
  }
  return text;
}

void fail(const char* what, const base::place& where) {
  if (running_engine == nullptr) {
    std::fprintf(stderr, "hop model: %s at %s:%d, outside a run\n", what, where.file, where.line);
    std::abort();
  }
  running_engine->fail_here(fmt::format("{} at {}:{} in {}", what, file_part(where.file), where.line, where.function));
}

std::int64_t virtual_now_ns() { return running_engine != nullptr ? running_engine->now_ns() : 0; }
std::uint64_t search_seed() { return seed_of_search; }
void set_search_seed(std::uint64_t seed) { seed_of_search = seed; }

}  // namespace hop::model
