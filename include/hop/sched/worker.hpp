// A worker: the queues, stacks and caches that one thread at a time works with. Only what the hot paths need is inline here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <hop/base/cache_line.hpp>
#include <hop/base/prng.hpp>
#include <hop/base/thread_probe.hpp>
#include <hop/base/thread_word.hpp>
#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/obs/counter.hpp>
#include <hop/sched/block_cache.hpp>
#include <hop/sched/deque.hpp>
#include <hop/sched/fifo.hpp>
#include <hop/sched/flow.hpp>
#include <hop/sched/inbox.hpp>
#include <hop/sched/spill.hpp>
#include <hop/sched/task.hpp>
#include <hop/sched/timers.hpp>

#ifndef HOP_QUEUE_SLOTS
#define HOP_QUEUE_SLOTS 4096
#endif

namespace hop::sched {

class pool;

class alignas(base::cache_line) worker {
 public:
  enum class role : std::uint8_t {
    loop,    // has a thread that runs the loop, as long as the pool
    spare,   // stands in for a worker that is stuck in the kernel; goes when it finds nothing or is not needed
    relief,  // runs only what stands in line, while every worker computes
    guest,   // an outside thread within a call; shares its work, never runs others'
  };

  worker() = default;
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // What a switch and a join touch.
  flow* current = nullptr;                // the flow we stand on; nullptr: a guest's own thread
  const task_context* context = nullptr;  // of the task that runs
  fiber::eh_globals* eh = nullptr;
  task* carried = nullptr;  // found by a flow that then parked; the loop runs it first
  std::uint32_t hops = 0;   // flows gone to directly since the loop last looked around
  std::uint32_t tick = 0;
  std::uint64_t next_id = 0;  // of tasks: seat + n * seats
  std::uint32_t pins = 0;     // flows pinned to it: its thread must stay
  pool* home = nullptr;
  std::uint16_t index = 0;  // its seat: workers first, then guests
  role as = role::loop;
  bool stir_later = false;  // it has slept, and the watcher may rest

  deque<task, HOP_QUEUE_SLOTS> local;
  fifo<task, 256> yielded;
  std::array<inbox<linked_task>, priority_count> in;
  inbox<linked_task> pinned;  // flows that only this worker may run: nobody else takes them
  spill overflow;
  timer_heap alarms;

  // For who watches.
  base::thread_probe probe;
  [[nodiscard]] bool present() const {
    return present_.load(
        std::memory_order_acquire);  // order: acquire. pairs: set_present(), release. W2: the probe is there
  }
  void set_present(bool here) {
    present_.store(here, std::memory_order_release);  // order: release. pairs: present(), acquire. W2
  }
  // It said that it will block (hop::blocking).
  [[nodiscard]] bool blocking() const {
    return blocking_.load(std::memory_order_relaxed);  // order: relaxed; a hint
  }
  void set_blocking(bool b) {
    blocking_.store(b, std::memory_order_relaxed);  // order: relaxed; a hint
  }
  // Changes whenever the loop looks for work or a flow goes straight to another.
  [[nodiscard]] std::uint32_t beat() const {
    return beat_.load(std::memory_order_relaxed);  // order: relaxed; only that it changes counts
  }
  HOP_ALWAYS_INLINE void step() {
    // order: relaxed, both. pairs: beat(). One writer; only that it changes counts.
    beat_.store(beat_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  fiber::stack_cache* stacks = nullptr;
  flow* thread_flow = nullptr;  // the thread's own stack: where the last loop goes when the pool stops
  flow* last_loop = nullptr;
  departure last{nullptr};
  block_cache blocks;
  obs::counter_block* counters = nullptr;
  base::prng random{1};

  // --- the owner ---

  // Own work, newest first. Where no queue has room the task is run at once.
  HOP_ALWAYS_INLINE void push(task& t) {
    if (HOP_UNLIKELY(!local.push(&t))) return push_slow(t);
    if (HOP_UNLIKELY(local.asked())) answer();
  }
  // As push(), for who parks next: nobody is woken.
  HOP_ALWAYS_INLINE void push_silently(task& t) {
    if (HOP_UNLIKELY(!local.push(&t))) push_slow(t);
  }
  [[nodiscard]] HOP_ALWAYS_INLINE task* pop() {
    return local.pop([this] { tell(); });
  }
  [[nodiscard]] HOP_ALWAYS_INLINE bool pop_if(task& t) {
    return local.pop_if(&t, [this] { tell(); });
  }
  void count(obs::counter c, std::uint64_t n = 1) noexcept { counters->add(c, n); }

  HOP_EXPORT HOP_NOINLINE void push_slow(task& t);
  HOP_EXPORT HOP_NOINLINE void answer();
  HOP_EXPORT void run_now(task& t);  // as part of the task that runs here
  HOP_EXPORT void tell();            // something of ours is shared now: wake one, if one sleeps

  // A flow that goes on later: in order, stealable; somebody is woken for it.
  HOP_EXPORT void push_ready(flow& f);

  // --- stacks ---

  // A flow to go to: one that runs the loop, kept or new; while no stack is to be had, any that is ready, or a counted wait.
  [[nodiscard]] HOP_ALWAYS_INLINE flow& loop_flow(fiber::stack_class cls) {
    idle_list& l = idle_[static_cast<std::size_t>(cls)];
    if (HOP_LIKELY(l.count != 0)) return *l.items[--l.count];
    return new_loop_flow(cls);
  }
  // The same, but nullptr where no stack is to be had.
  [[nodiscard]] flow* try_loop_flow(fiber::stack_class cls) {
    idle_list& l = idle_[static_cast<std::size_t>(cls)];
    return l.count != 0 ? l.items[--l.count] : make_loop_flow(cls);
  }
  // Nobody stands on it.
  void put_by(flow& f) {
    idle_list& l = idle_[static_cast<std::size_t>(f.self->where().cls)];
    if (HOP_LIKELY(l.count < l.items.size())) {
      l.items[l.count++] = &f;
    } else {
      destroy(f);
    }
  }
  HOP_EXPORT void destroy(flow& f);
  HOP_EXPORT void destroy_idle();

 private:
  struct idle_list {
    std::size_t count = 0;
    std::array<flow*, 64> items{};
  };
  HOP_EXPORT HOP_NOINLINE flow& new_loop_flow(fiber::stack_class cls);
  HOP_EXPORT flow* make_loop_flow(fiber::stack_class cls);

  std::array<idle_list, fiber::stack_class_count> idle_;
  alignas(base::cache_line) base::atomic<std::uint32_t> beat_{0};
  base::atomic<bool> present_{false};
  base::atomic<bool> blocking_{false};
};

// The worker of the thread that runs this; nullptr on a thread that has none. After a park it may be another.
[[nodiscard]] HOP_ALWAYS_INLINE worker* this_worker() noexcept { return static_cast<worker*>(base::thread_word()); }

// --- switching ---

// First thing on a stack that was gone to: it is ours now, and the flow that was left is published.
HOP_ALWAYS_INLINE worker& arrive(flow& me, void* payload) {
  departure& d = *static_cast<departure*>(payload);
  worker& w = *d.at;
  w.current = &me;
  w.context = me.context;
  d.after(d, w);
  return w;
}

// Leaves for `to`, which nobody else may run. Back when somebody resumes us; then on the worker returned.
HOP_ALWAYS_INLINE worker& leave(worker& w, flow& to, departure& d) {
  flow& me = *w.current;
  me.context = w.context;
  d.at = &w;
  d.left = &me;
  return arrive(me, fiber::resume(*me.self, *to.self, &d, *w.eh));
}

// How many flows in a row go straight from one to the next before the loop looks around.
inline constexpr std::uint32_t hop_budget = 64;
// How many tasks of its own a loop runs between looks at what stands in line.
inline constexpr std::uint32_t look_around_every = 64;

// The task that runs here must wait: its stack is its own from now on, and `d.after` tells who will end the wait. Goes to the
// newest flow of our own, else to a loop.
HOP_ALWAYS_INLINE worker& suspend(worker& w, departure& d) {
  if (HOP_LIKELY(w.hops < hop_budget)) {
    task* const t = w.pop();
    if (t != nullptr) {
      if (HOP_LIKELY(t->is(flow::resumes))) {
        ++w.hops;
        w.step();
        return leave(w, flow::of(*t), d);
      }
      w.carried = t;
    }
  } else {
    w.tick = look_around_every - 1;  // the loop looks at what stands in line first
  }
  return leave(w, w.loop_flow(fiber::stack_class::small), d);
}

// A flow that was published goes on: next, here, and nobody is woken for it; or in line.
enum class turn : std::uint8_t {
  next,
  in_line
};
// `by`: the worker that runs this, or nullptr.
HOP_EXPORT void make_ready(worker* by, flow& f, turn when);

// suspend(), with what reports and statistics want to know.
HOP_EXPORT worker& wait(worker& w, departure& d, const park_reason& why);

// --- waiting for a task ---

struct task_departure : departure {
  explicit task_departure(task& t, flow& me) noexcept : departure{&publish}, on(&t) { entry.who = &me; }
  task* on;
  waiter entry;

  static void publish(departure& d, worker& w) {
    auto& self = static_cast<task_departure&>(d);
    flow& left = *d.left;
    if (!self.on->add_waiter(self.entry)) make_ready(&w, left, turn::next);  // done meanwhile
  }
};

// Returns when `t` is done; what it wrote is seen. On a fiber it parks, on a guest's or any other thread it sleeps.
HOP_EXPORT void wait_for_task(task& t);

// Returns when every task of the group is through. Once for a group, when nothing outside of it spawns into it any more.
HOP_EXPORT void wait_for_group(run_group& g);

// By who finished a task: all of them go on. The first one next, on this worker, if it is about to look for work.
HOP_EXPORT void wake_waiters(waiter* first);

}  // namespace hop::sched
