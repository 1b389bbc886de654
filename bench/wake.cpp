// From an outside thread's submit to the start of the task, when the pool has been idle for 10 ms: the median. Beside
// it what the kernel allows: a thread in a futex wait, woken by another, measured in turn with ours.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <hop/sched/runtime.hpp>
#include <hop/sched/spawn.hpp>

#include "harness/wake_probe.hpp"

namespace {

class futex_sleeper {
 public:
  explicit futex_sleeper(bench::wake_probe& probe) : thread_([this, &probe] { sleep(probe); }) {}
  ~futex_sleeper() {
    post(stop);
    thread_.join();
  }
  void post_work() { post(work); }

 private:
  enum : std::uint32_t {
    nothing,
    work,
    stop
  };

  void post(std::uint32_t what) {
    word_.store(what, std::memory_order_release);
    ::syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
  void sleep(bench::wake_probe& probe) {
    for (;;) {
      while (word_.load(std::memory_order_acquire) == nothing) {
        ::syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, nothing, nullptr, nullptr, 0);
      }
      if (word_.load(std::memory_order_relaxed) == stop) return;
      word_.store(nothing, std::memory_order_relaxed);  // before the poster can see that we have started
      probe.started();
    }
  }

  std::atomic<std::uint32_t> word_{nothing};
  static_assert(sizeof(word_) == 4, "a futex is four bytes");
  std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  bench::wake_probe probe;
  hop::runtime rt({.workers = o.workers});
  hop::runtime::use(&rt);
  futex_sleeper sleeper(probe);
  std::vector<double> ours, bare;
  for (std::size_t i = 0; i < o.rounds * bench::wake_probe::samples(o); ++i) {
    ours.push_back(probe.once([&] { static_cast<void>(hop::spawn([&probe] { probe.started(); })); }));
    bare.push_back(probe.once([&] { sleeper.post_work(); }));
  }
  hop::runtime::use(nullptr);
  bench::print({"wake", "hop", "", bench::median(ours), "us", "lower", o.workers, o.rounds});
  bench::print({"wake", "futex", "", bench::median(bare), "us", "lower", o.workers, o.rounds});
}
