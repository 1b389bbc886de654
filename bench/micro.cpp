// What the pieces of the scheduler cost, one by one: the deque, one round of looking for work, the board that workers
// sleep on. These are the only figures of bench/ that look behind the public interface.
//   push, pop    the owner alone, a thousand of each at a time
//   steal        one task of a shared part, by another thread
//   yield_round  a thief looks at an empty victim and gives the processor back
//   wake         from a post to the sleeper, which has slept for 10 ms
//   sleep_cycle  one full turn: found nothing, announced, slept, woken by the other thread
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <hop/base/spin_hint.hpp>
#include <hop/sched/deque.hpp>
#include <hop/sched/sleep_board.hpp>

#include "harness/wake_probe.hpp"

namespace {

struct job {};
using deque = hop::sched::deque<job, 4096>;
constexpr std::size_t batch = 1000;

double ns_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

std::size_t batches(const bench::options& o) { return o.quick ? 50 : 5000; }

// The median over many batches: of each the time for one operation.
struct owner_costs {
  double push, pop;
};
owner_costs owner(const bench::options& o) {
  deque d;
  std::vector<job> jobs(batch);
  std::vector<double> push, pop;
  for (std::size_t i = 0; i < batches(o); ++i) {
    auto begin = std::chrono::steady_clock::now();
    std::size_t good = 0;
    for (job& j : jobs) good += d.push(&j) ? 1u : 0u;
    push.push_back(ns_since(begin) / batch);
    bench::require(good == batch, "every push found room");
    begin = std::chrono::steady_clock::now();
    for (std::size_t k = batch; k-- > 0;) good -= d.pop([] {}) == &jobs[k] ? 1u : 0u;
    pop.push_back(ns_since(begin) / batch);
    bench::require(good == 0 && d.empty(), "pops gave the newest first");
  }
  return {bench::median(push), bench::median(pop)};
}

// The owner fills and shares, the thief empties: in turn, so that what is timed is the steal and no quarrel.
double steal(const bench::options& o) {
  deque d;
  std::vector<job> jobs(batch);
  std::vector<double> costs;
  std::barrier<> turn(2);
  std::thread thief([&] {
    for (std::size_t i = 0; i < batches(o); ++i) {
      turn.arrive_and_wait();
      std::size_t good = 0;
      const auto begin = std::chrono::steady_clock::now();
      for (std::size_t k = 0; k < batch; ++k) {
        job* got = nullptr;
        good += d.steal(&got, 1) == 1 && got == &jobs[k] ? 1u : 0u;
      }
      costs.push_back(ns_since(begin) / batch);
      bench::require(good == batch, "steals gave the oldest first");
      turn.arrive_and_wait();
    }
  });
  for (std::size_t i = 0; i < batches(o); ++i) {
    for (job& j : jobs) bench::require(d.push(&j), "every push found room");
    bench::require(d.share_all(), "all of it is shared");
    turn.arrive_and_wait();
    turn.arrive_and_wait();
    bench::require(d.pop([] {}) == nullptr, "the thief has taken everything");
  }
  thief.join();
  return bench::median(costs);
}

double yield_round(const bench::options& o) {
  deque victim;
  return bench::ns_each(o, [&](std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      job* got = nullptr;
      bench::require(victim.steal(&got, 1) == 0, "nothing to steal");
      hop::base::os_yield();
    }
  });
}

// A worker with nothing to do but to sleep until its mailbox is filled.
class sleeper {
 public:
  sleeper(hop::sched::sleep_board& board, std::size_t me) : board_(&board), me_(me) {}
  void post() {
    mail_.fetch_add(1, std::memory_order_relaxed);
    board_->post_from_outside();
  }
  [[nodiscard]] std::uint64_t mail() const { return mail_.load(std::memory_order_acquire); }
  // Returns when there is more than `read`.
  void sleep_until_more_than(std::uint64_t read) {
    board_->start_looking();
    while (mail() == read) {
      const std::uint32_t ticket = board_->announce();
      if (mail() != read) break;
      sleeps_ += board_->try_sleep(me_, ticket, [&] { return mail() != read; }) ? 1u : 0u;
    }
    static_cast<void>(board_->work_found());
  }
  [[nodiscard]] std::size_t sleeps() const { return sleeps_; }

 private:
  hop::sched::sleep_board* board_;
  std::size_t me_;
  std::size_t sleeps_ = 0;
  std::atomic<std::uint64_t> mail_{0};
};

double wake(const bench::options& o) {
  hop::sched::sleep_board board(1);
  sleeper worker(board, 0);
  bench::wake_probe probe;
  const std::size_t samples = bench::wake_probe::samples(o);
  std::thread thread([&] {
    for (std::size_t i = 0; i < samples; ++i) {
      worker.sleep_until_more_than(i);
      probe.started();
    }
  });
  std::vector<double> us;
  for (std::size_t i = 0; i < samples; ++i) us.push_back(probe.once([&] { worker.post(); }));
  thread.join();
  return bench::median(us);
}

// Two boards, a worker each, and a ball: there and back are two cycles. Balls that came too soon for a sleep are not
// counted.
double sleep_cycle(const bench::options& o) {
  hop::sched::sleep_board board_a(1), board_b(1);
  sleeper a(board_a, 0), b(board_b, 0);
  const std::size_t turns = o.quick ? 500 : 20'000;
  std::thread other([&] {
    for (std::size_t i = 0; i < turns; ++i) {
      b.sleep_until_more_than(i);
      a.post();
    }
  });
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < turns; ++i) {
    b.post();
    a.sleep_until_more_than(i);
  }
  const double ns = ns_since(begin);
  other.join();
  bench::require(a.mail() == turns && b.mail() == turns, "every ball came back");
  bench::require(a.sleeps() + b.sleeps() != 0, "somebody slept");
  return ns * 1e-3 / static_cast<double>(a.sleeps() + b.sleeps());
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  std::vector<std::vector<double>> found(6);
  for (std::size_t round = 0; round < o.rounds; ++round) {
    const owner_costs costs = owner(o);
    const std::array<double, 6> now{costs.push, costs.pop, steal(o), yield_round(o), wake(o), sleep_cycle(o)};
    for (std::size_t i = 0; i < now.size(); ++i) found[i].push_back(now[i]);
  }
  constexpr std::array<const char*, 6> names{"push", "pop", "steal", "yield_round", "wake", "sleep_cycle"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    bench::print(
        {"micro", "hop", names[i], bench::median(found[i]), i < 4 ? "ns" : "us", "lower", o.workers, o.rounds});
  }
  bench::note("micro: Blitz's own figures: push and pop 3 ns, steal 10 to 50 ns, wake 10 to 100 us");
}
