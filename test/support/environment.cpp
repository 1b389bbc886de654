#include "support/environment.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace hop::test {
namespace {

std::string text(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::optional<std::uint64_t> number(const char* name) {
  const std::string value = text(name);
  if (value.empty()) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const unsigned long long n = std::strtoull(value.c_str(), &end, 10);
  if (errno != 0 || *end != '\0' || value[0] == '-') {
    std::fprintf(stderr, "%s is '%s'; it takes a whole number\n", name, value.c_str());
    std::exit(2);
  }
  return n;
}

environment read() {
  environment e;
  e.report = text("HOP_REPORT");
  e.preset = text("HOP_TEST_PRESET");
  e.workers = number("HOP_TEST_WORKERS").value_or(2);
  e.seed = number("HOP_TEST_SEED");
  e.full = number("HOP_TEST_FULL").value_or(0) != 0;
  return e;
}

}  // namespace

const environment& env() {
  static const environment e = read();
  return e;
}

}  // namespace hop::test
