// What a parked fiber costs: N fibers, each switched into once and left there. Resident memory and page tables, before and
// after; then all of them end, and what stays after a trim is reported too.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_pool.hpp>

#include "harness/harness.hpp"

namespace {

namespace hf = hop::fiber;

struct memory {
  double rss = 0;
  double tables = 0;
};

double kib_of(const char* line, const char* field) {
  unsigned long long kib = 0;
  const std::size_t n = std::strlen(field);
  return std::strncmp(line, field, n) == 0 && std::sscanf(line + n, "%llu", &kib) == 1 ? static_cast<double>(kib) * 1024
                                                                                       : 0;
}

memory now() {
  memory m;
  std::FILE* file = std::fopen("/proc/self/status", "r");
  bench::require(file != nullptr, "/proc/self/status can be read");
  char line[256];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    m.rss += kib_of(line, "VmRSS:");
    m.tables += kib_of(line, "VmPTE:");
  }
  std::fclose(file);
  bench::require(m.rss > 0 && m.tables > 0, "/proc/self/status has VmRSS and VmPTE");
  return m;
}

struct field {
  hf::thread_fiber here{"bench"};
  std::uint64_t entered = 0;
  std::uint64_t left = 0;
};

hf::handover stay(hf::fiber& self, void*) {
  auto& f = *static_cast<field*>(self.arg());
  ++f.entered;
  hf::resume(self, f.here);  // parked: its stack rests here
  ++f.left;
  return {&f.here, nullptr};
}

void park_all(field& f, hf::stack_cache& cache, std::vector<hf::fiber*>& fibers) {
  for (hf::fiber*& fiber : fibers) {
    const auto made = hf::fiber::create(cache, {.name = "parked"}, stay, &f);
    bench::require(made.has_value(), "a fiber was refused");
    fiber = *made;
    fiber->word().enqueue_new();
    bench::require(fiber->word().begin_run(), "a new fiber can be run");
    hf::resume(f.here, *fiber);
  }
}

void end_all(field& f, hf::stack_cache& cache, std::vector<hf::fiber*>& fibers) {
  for (hf::fiber* fiber : fibers) {
    hf::resume(f.here, *fiber);
    hf::fiber::destroy(cache, fiber);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv);
  const std::size_t count = o.count != 0 ? o.count : o.quick ? 20'000 : 200'000;
  std::vector<hf::fiber*> fibers(count);  // touched before the first look
  std::vector<double> total, rss, tables, after_trim;
  const auto each = [count](double bytes) { return bytes / static_cast<double>(count); };
  for (std::size_t round = 0; round < o.rounds; ++round) {
    hf::stack_pool pool;
    hf::stack_cache cache(pool);
    field f;
    const memory before = now();
    park_all(f, cache, fibers);
    const memory parked = now();
    bench::require(f.entered == count && f.left == 0, "every fiber was entered once and stayed");
    end_all(f, cache, fibers);
    bench::require(f.left == count, "every fiber went on from where it stood");
    cache.flush();
    pool.trim();
    const memory after = now();
    rss.push_back(each(parked.rss - before.rss));
    tables.push_back(each(parked.tables - before.tables));
    total.push_back(rss.back() + tables.back());
    after_trim.push_back(each(after.rss + after.tables - before.rss - before.tables));
  }
  const auto line = [&](const char* variant, const std::vector<double>& values) {
    bench::print({"parked", "hop", variant, bench::median(values), "B", "lower", o.workers, o.rounds});
  };
  line("", total);
  line("rss", rss);
  line("tables", tables);
  line("after_trim", after_trim);
}
