// The workers of one runtime, their stacks, and the board they sleep on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <hop/base/annotations.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/clock.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/result.hpp>
#include <hop/base/thread.hpp>
#include <hop/fiber/stack_pool.hpp>
#include <hop/obs/counter.hpp>
#include <hop/sched/run_group.hpp>
#include <hop/sched/sleep_board.hpp>
#include <hop/sched/worker.hpp>

namespace hop {
class runtime;
}

namespace hop::sched {

struct pool_options {
  std::size_t workers = 0;  // 0: HOP_WORKERS, else what the machine and its limits give
  std::size_t guests = 64;  // outside threads that may be inside a join at once; more run their joins alone
  std::size_t spares = 0;   // threads beyond the workers, for those stuck in the kernel; 0: HOP_THREADS_MAX, else 64
};

class sysmon;

// Seats: first the workers, then the spares, then the guests. A spare's or guest's is made when it is first used.
class HOP_EXPORT pool {
 public:
  // Starts the workers. An error when not even one thread is to be had; with fewer than asked for it works, and says so.
  [[nodiscard]] static result<std::unique_ptr<pool>> start(const pool_options& options = {});
  // Stops the workers. Nothing may be queued or parked any more.
  ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  [[nodiscard]] std::size_t workers() const noexcept { return worker_count_; }
  [[nodiscard]] std::size_t worker_seats() const noexcept { return worker_count_ + spare_count_; }
  [[nodiscard]] std::size_t seats() const noexcept { return seat_count_; }
  [[nodiscard]] obs::counter_totals totals() const noexcept { return counters_.totals(); }
  [[nodiscard]] const obs::counter_set& counters() const noexcept { return counters_; }
  [[nodiscard]] fiber::stack_pool& stacks() noexcept { return stacks_; }
  [[nodiscard]] sleep_board& board() noexcept { return board_; }
  [[nodiscard]] bool stopping() const {
    return stopping_.load(
        std::memory_order_relaxed);  // order: relaxed. pairs: ~pool(). The board's fences order it (S2)
  }

  // The runtime it belongs to.
  [[nodiscard]] runtime* owner() const noexcept { return owner_; }
  void set_owner(runtime* r) noexcept { owner_ = r; }
  // At the end of the process: asks the workers to go and waits a moment for those who can.
  void stop_for_exit();

  // From any thread: to the inboxes in turn, and one worker is woken. Never waits.
  void submit(linked_task& t, priority level = priority::normal);
  // To the inbox of this one.
  void submit_to(worker& w, linked_task& t, priority level = priority::normal);

  // To the one worker that may run it, which is woken.
  void submit_pinned(worker& w, linked_task& t);

  // A place for an outside thread; nullptr: all taken.
  [[nodiscard]] worker* take_seat();
  void leave_seat(worker& w);

  // Groups are never freed while the pool lives: a task's last look at its group may come after the end of it.
  [[nodiscard]] run_group& take_group();
  void give_group(run_group& g);

  // --- for workers and those who watch them ---

  // nullptr: never used.
  [[nodiscard]] worker* seat(std::size_t i) noexcept {
    return seats_[i].load(std::memory_order_acquire);  // order: acquire. pairs: make_seat(), release. S4: it is whole
  }
  // Calls see(worker&) for the seats in use, beginning with the one at `first`, until it says true. Whether it did.
  template <class See>
  bool any_seat(std::size_t first, See&& see);
  [[nodiscard]] std::size_t seats_in_use() const {
    // order: relaxed, both; who comes newly asks for itself.
    return worker_count_ + spares_seen_.load(std::memory_order_relaxed) + guests_seen_.load(std::memory_order_relaxed);
  }
  // Something that a worker could take: of the deques what is shared.
  [[nodiscard]] bool anything_waiting();
  // Something that came from outside or stepped back.
  [[nodiscard]] bool anything_ordered();
  void ask_all(const worker& w);
  // Something was put into a queue of a worker.
  void post(worker& by, std::size_t jobs = 1) {
    const std::size_t woken = board_.post(jobs);
    if (woken != 0) {
      by.count(obs::counter::wakes, woken);
    } else {
      watcher_stir();
    }
  }

  // Threads with a seat now: workers and spares.
  [[nodiscard]] std::size_t threads_present() const {
    return present_.load(std::memory_order_relaxed);  // order: relaxed; a count for who watches
  }
  // One more thread. False: no seat, no thread to be had, or one of that kind is just beginning.
  bool add_spare(worker::role as);
  // How many spares may go: whoever finds it above 0 takes one off and goes.
  void set_surplus(std::size_t n) {
    surplus_.store(static_cast<std::int32_t>(n), std::memory_order_relaxed);  // order: relaxed; a wish
  }
  [[nodiscard]] bool take_surplus();
  // A clock that costs a load: the watcher's last look.
  [[nodiscard]] base::instant coarse_now() const {
    return base::instant{coarse_ns_.load(std::memory_order_relaxed)};  // order: relaxed; coarse
  }
  [[nodiscard]] std::uint32_t coarse_us() const {
    return static_cast<std::uint32_t>(coarse_now().ns() / 1000);
  }  // wraps
  void set_coarse_now(base::instant t) {
    coarse_ns_.store(t.ns(), std::memory_order_relaxed);  // order: relaxed; coarse
  }
  // Counts for the watcher, which has no seat.
  void watched(obs::counter c) { counters_.block(seat_count_).add(c); }
  // Somebody works again who has looked in vain, or there is work and nobody to wake. Behind a fence of the caller's.
  void watcher_stir();
  // A timer that rings before all others of its seat.
  void timer_added();
  // Unparks whose time has come; when the next one rings.
  base::instant ring_timers(base::instant now);
  [[nodiscard]] base::instant next_timer();

 private:
  pool(std::size_t workers, std::size_t spares, std::size_t guests);
  void thread_main(worker& w);
  void check_process() const;
  worker& make_seat(std::size_t i, worker::role as) HOP_REQUIRES(mu_);
  [[nodiscard]] result<base::thread> start_thread(worker& w);

  runtime* owner_ = nullptr;
  std::size_t worker_count_;
  std::size_t spare_count_;
  std::size_t seat_count_;
  fiber::stack_pool stacks_;
  obs::counter_set counters_;
  sleep_board board_;
  std::unique_ptr<base::atomic<worker*>[]> seats_;
  base::atomic<bool> stopping_{false};
  base::atomic<std::uint32_t> present_{0};
  base::atomic<std::int64_t> coarse_ns_{0};
  base::atomic<std::int32_t> surplus_{0};
  alignas(base::cache_line) base::atomic<std::uint32_t> turn_{0};
  std::size_t started_ = 0;                     // workers whose thread was to be had
  base::atomic<std::uint32_t> spares_seen_{0};  // seats of spares below it have been used
  base::atomic<std::uint32_t> guests_seen_{0};  // the same for guests
  base::ranked_mutex mu_{base::lock_rank::pool};
  std::vector<bool> guest_here_ HOP_GUARDED_BY(mu_);
  std::vector<bool> spare_here_ HOP_GUARDED_BY(mu_);
  std::vector<base::thread> spare_threads_ HOP_GUARDED_BY(mu_);
  bool relief_here_ HOP_GUARDED_BY(mu_) = false;
  std::vector<std::unique_ptr<run_group>> groups_ HOP_GUARDED_BY(mu_);
  std::vector<run_group*> free_groups_ HOP_GUARDED_BY(mu_);
  std::vector<base::thread> threads_;
  std::unique_ptr<sysmon> sysmon_;
  std::uint32_t born_in_;  // how many forks lay behind the process then
};

template <class See>
bool pool::any_seat(std::size_t first, See&& see) {
  const std::size_t n = seats_in_use();
  // order: relaxed; as in seats_in_use().
  const std::size_t low = worker_count_ + spares_seen_.load(std::memory_order_relaxed);
  for (std::size_t k = 0, i = first % n; k < n; ++k, i = i + 1 == n ? 0 : i + 1) {
    worker* const w = seat(i < low ? i : i - low + worker_seats());
    if (w != nullptr && see(*w)) return true;
  }
  return false;
}

// The main function of every loop stack.
fiber::handover loop_main(fiber::fiber& self, void* payload);
// Work for this worker, from wherever; sleeps while there is none. nullptr: the pool stops.
[[nodiscard]] task* find_work(worker& w);

}  // namespace hop::sched
