// The scheduler at work: forks, spawned tasks that wait, and a worker that blocks without stopping the others.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <vector>

#include <fmt/format.h>
#include <hop.hpp>

#include "step.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

using namespace std::chrono_literals;

std::uint64_t fib(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  auto [a, b] = hop::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

double ns_since(hop::instant began, std::uint64_t things) {
  return static_cast<double>((hop::base::clock::now() - began).count()) / static_cast<double>(things);
}

}  // namespace

outcome fork_and_join(stage& s) {
  const int n = static_cast<int>(s.count(30, 22));
  const std::uint64_t value = n == 30 ? 832'040 : 17'711;
  const std::uint64_t forks = n == 30 ? 1'346'268 : 28'656;
  const hop::instant began = hop::base::clock::now();
  const std::uint64_t got = hop::run([n] { return fib(n); });
  const double ns = ns_since(began, forks);
  return {got == value,
          fmt::format("{:.1f} ns a fork", ns),
          {fmt::format("fib({}) by {} forks on {} workers is {}; a fork that nobody takes is a push, a pop and a call.",
                       n, grouped(forks), hop::runtime::process().workers(), grouped(got))}};
}

outcome spawn_and_wait(stage& s) {
  const std::size_t tasks = s.count(100'000, 10'000);
  std::atomic<std::size_t> ran{0};
  const hop::instant began = hop::base::clock::now();
  hop::run([&] {
    std::vector<hop::task_handle<void>> all;
    all.reserve(tasks);
    for (std::size_t i = 0; i < tasks; ++i) {
      all.push_back(hop::spawn([&ran, i] {
        if (i % 100 == 0) hop::sleep_for(1ms);  // one in a hundred becomes a fiber
        ++ran;
      }));
    }
    for (auto& h : all) h.join();
  });
  const double ns = ns_since(began, tasks);
  return {
      ran.load() == tasks,
      fmt::format("{:.0f} ns a task", ns),
      {fmt::format("{} tasks were spawned and joined; one in a hundred slept a millisecond and had a stack of its own "
                   "meanwhile, the others were plain calls.",
                   grouped(ran.load()))}};
}

outcome block_workers(stage& s) {
  hop::runtime& rt = hop::runtime::process();
  const std::size_t blocked = rt.workers() + 2;
  const std::size_t others = s.count(10'000, 1'000);
  int ends[2];
  if (::pipe(ends) != 0) return {false, "no pipe", {}};
  std::vector<hop::task_handle<void>> stuck;
  for (std::size_t i = 0; i < blocked; ++i) {
    stuck.push_back(hop::spawn([&ends] {
      char c;
      static_cast<void>(!::read(ends[0], &c, 1));
    }));
  }
  std::atomic<std::size_t> ran{0};
  hop::run([&] {
    for (std::size_t i = 0; i < others; ++i) hop::spawn([&ran] { ++ran; }).join();
  });
  const bool right = ran.load() == others;
  ::close(ends[1]);
  for (auto& h : stuck) h.join();
  ::close(ends[0]);
  const std::uint64_t spares = rt.statistics()[hop::obs::counter::spares];
  return {right,
          fmt::format("{} substitutes", spares),
          {fmt::format(
              "{} tasks blocked in read() on {} workers, without a word; {} others ran meanwhile on {} substitutes.",
              blocked, rt.workers(), grouped(ran.load()), spares)}};
}

}  // namespace hopsack::demo
