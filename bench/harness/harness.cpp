#include "harness/harness.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace bench {
namespace {

[[noreturn]] void usage(const std::string& what) {
  fmt::print(stderr, "{}\nusage: [--rounds N] [--workers N] [--count N] [--quick]\n", what);
  std::exit(2);
}

std::size_t number(std::string_view option, const char* text) {
  if (text == nullptr) usage(fmt::format("{} needs a number", option));
  const std::string_view s = text;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size() || value == 0) {
    usage(fmt::format("{} is '{}'; it takes a whole number above 0", option, s));
  }
  return value;
}

double seconds_of(const std::function<void(std::size_t)>& body, std::size_t n) {
  const auto begin = std::chrono::steady_clock::now();
  body(n);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      o.quick = true;
    } else if (word == "--rounds" || word == "--workers" || word == "--count") {
      const std::size_t n = number(word, i + 1 < argc ? argv[i + 1] : nullptr);
      (word == "--rounds" ? o.rounds : word == "--workers" ? o.workers : o.count) = n;
      ++i;
    } else {
      usage(fmt::format("unknown argument '{}'", word));
    }
  }
  return o;
}

void require(bool right, const char* what) {
  if (right) return;
  fmt::print(stderr, "wrong answer: {}\n", what);
  std::exit(1);
}

double ns_each(const options& o, const std::function<void(std::size_t)>& body) {
  const double enough = o.quick ? 0.005 : 0.050;
  std::size_t n = 16;
  double took = seconds_of(body, n);
  while (took < enough) {
    // Towards a fifth more than enough, at most ten times further at once: the first samples are cold.
    const double factor = std::clamp(1.2 * enough / std::max(took, 1e-9), 1.5, 10.0);
    n = static_cast<std::size_t>(static_cast<double>(n) * factor) + 1;
    took = seconds_of(body, n);
  }
  std::vector<double> samples;
  for (int i = 0; i < (o.quick ? 1 : 5); ++i) samples.push_back(seconds_of(body, n));
  return median(samples) * 1e9 / static_cast<double>(n);
}

double seconds_each(const options& o, const std::function<void()>& body) {
  std::vector<double> samples;
  double spent = 0;
  while (samples.empty() || (!o.quick && samples.size() < 5 && spent < 1.0)) {
    samples.push_back(seconds_of([&body](std::size_t) { body(); }, 1));
    spent += samples.back();
  }
  return median(samples);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print(const figure& f) {
  const std::string variant = f.variant.empty() ? "" : fmt::format(R"(,"variant":"{}")", f.variant);
  fmt::print(R"({{"bench":"{}","workers":{},"who":"{}","value":{:.6g},"unit":"{}","better":"{}","rounds":{}{}}})"
             "\n",
             f.bench, f.workers, f.who, f.value, f.unit, f.better, f.rounds, variant);
  std::fflush(stdout);
}

void note(const std::string& text) { fmt::print("note: {}\n", text); }

void contest::add(std::string who, std::string variant, std::function<double()> once) {
  entries_.push_back({std::move(who), std::move(variant), std::move(once), {}});
}

void contest::run(const std::string& unit, const std::string& better) {
  for (std::size_t i = 0; i < options_.rounds; ++i) {
    for (entry& e : entries_) e.values.push_back(e.once());
  }
  for (const entry& e : entries_) {
    print({name_, e.who, e.variant, median(e.values), unit, better, options_.workers, options_.rounds});
  }
}

}  // namespace bench
