#include "little_program.hpp"

#include <fmt/format.h>

#include <hop/base/atomic.hpp>
#include <hop/base/futex.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/spin_hint.hpp>

#include "model/crew.hpp"

namespace hop::model {

namespace {

constexpr std::memory_order load_orders[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                             std::memory_order_seq_cst};
constexpr std::memory_order store_orders[] = {std::memory_order_relaxed, std::memory_order_release,
                                              std::memory_order_seq_cst};
constexpr std::memory_order rmw_orders[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                            std::memory_order_release, std::memory_order_acq_rel,
                                            std::memory_order_seq_cst};
constexpr std::memory_order fence_orders[] = {std::memory_order_acquire, std::memory_order_release,
                                              std::memory_order_seq_cst, std::memory_order_seq_cst};

template <std::size_t N>
std::memory_order one_of(const std::memory_order (&list)[N], base::prng& random) {
  return list[random.below(N)];
}

struct world {
  base::atomic<std::uint32_t> x[little_program::locations];
  base::mutex mu;
  int guarded = 0;

  std::string step(const instruction& i);
};

std::string world::step(const instruction& i) {
  auto& a = x[i.location];
  std::uint32_t e = i.expected;
  switch (i.what) {
    case verb::load:
      return fmt::format(" {}", a.load(i.order));
    case verb::store:
      return a.store(i.value, i.order), "";
    case verb::exchange:
      return fmt::format(" {}", a.exchange(i.value, i.order));
    case verb::add:
      return fmt::format(" {}", a.fetch_add(i.value, i.order));
    case verb::fence:
      return fence(i.order, base::place::here()), "";
    case verb::cas:
      return a.compare_exchange_strong(e, i.value, i.order, i.fail) ? " won" : fmt::format(" lost:{}", e);
    case verb::cas_weak:
      return a.compare_exchange_weak(e, i.value, i.order, i.fail) ? " won" : fmt::format(" lost:{}", e);
    case verb::with_lock: {
      mu.lock();
      const int n = ++guarded;
      mu.unlock();
      return fmt::format(" held:{}", n);
    }
    case verb::try_lock:
      if (!mu.try_lock()) return " busy";
      ++guarded;
      mu.unlock();
      return " tried";
    case verb::sleep:
      return fmt::format(" slept:{}", static_cast<int>(base::futex_wait(a, i.expected)));
    case verb::sleep_timed: {
      const base::futex_end end = base::futex_wait(a, i.expected, base::clock::now() + base::duration{1});
      return fmt::format(" slept:{}@{}", static_cast<int>(end), base::clock::now().ns() / 1'000'000 - 1000);
    }
    case verb::wake:
      return fmt::format(" woke:{}", base::futex_wake(a, 1));
    case verb::spin:
      return base::spin_hint(), "";
  }
  return "?";
}

const char* name_of(verb v) {
  constexpr const char* names[] = {"load",      "store",    "exchange", "add",         "fence", "cas", "cas_weak",
                                   "with_lock", "try_lock", "sleep",    "sleep_timed", "wake",  "spin"};
  return names[static_cast<std::size_t>(v)];
}

instruction random_access(base::prng& random, std::uint32_t& next_value) {
  instruction i;
  i.location = random.below(little_program::locations);
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      i.what = verb::load;
      i.order = one_of(load_orders, random);
      break;
    case 3:
    case 4:
      i.what = verb::store;
      i.order = one_of(store_orders, random);
      break;
    case 5:
      i.what = verb::exchange;
      i.order = one_of(rmw_orders, random);
      break;
    case 6:
      i.what = verb::add;
      i.order = one_of(rmw_orders, random);
      break;
    default:
      i.what = verb::fence;
      i.order = one_of(fence_orders, random);
      break;
  }
  i.value = next_value;
  next_value *= 2;  // every sum of values is another number
  return i;
}

instruction random_instruction(base::prng& random, std::uint32_t& next_value) {
  if (random.below(2) == 0) return random_access(random, next_value);
  instruction i;
  i.location = random.below(little_program::locations);
  i.what = static_cast<verb>(static_cast<std::uint32_t>(verb::cas) + random.below(8));
  i.order = one_of(rmw_orders, random);
  i.fail = one_of(load_orders, random);
  i.expected = random.below(3) == 0 ? next_value / 2 : 0;
  i.value = next_value;
  next_value *= 2;
  return i;
}

template <class Make>
little_program made(base::prng& random, std::uint32_t events, Make make) {
  little_program p;
  p.threads.resize(2 + random.below(2));
  std::uint32_t value = 1;
  for (std::uint32_t n = 0; n < events; ++n)
    p.threads[random.below(static_cast<std::uint32_t>(p.threads.size()))].push_back(make(random, value));
  return p;
}

}  // namespace

std::string little_program::run() const {
  world w;
  std::vector<std::string> saw(threads.size());
  {
    crew c;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      c.add("t", [&, t] {
        for (const instruction& i : threads[t]) saw[t] += w.step(i);
      });
    }
  }
  std::string all;
  for (std::size_t t = 0; t < saw.size(); ++t) all += fmt::format("t{}:{} | ", t, saw[t]);
  for (auto& x : w.x) all += fmt::format("{} ", x.load(std::memory_order_relaxed));
  return all;
}

std::string little_program::text() const {
  std::string s;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    s += fmt::format("thread {}:\n", t);
    for (const instruction& i : threads[t])
      s += fmt::format("  {} x{} {} value {} expected {} fail {}\n", name_of(i.what), i.location, to_string(i.order),
                       i.value, i.expected, to_string(i.fail));
  }
  return s;
}

little_program random_accesses(base::prng& random, std::uint32_t events) { return made(random, events, random_access); }
little_program random_program(base::prng& random, std::uint32_t events) {
  return made(random, events, random_instruction);
}

}  // namespace hop::model
