#include "support/hop_test.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "support/environment.hpp"

namespace hop::test {
namespace {

// FNV-1a: stable over compilers and runs, so that the default seed of a test is a property of its name.
std::uint64_t hash_of(std::string_view suite, std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const std::string_view part : {suite, std::string_view("."), name}) {
    for (const char c : part) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return h;
}

bool slow_build() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  return true;
#endif
#endif
  // Valgrind preloads its own libraries; its header is no dependency worth having for this question.
  const char* preload = std::getenv("LD_PRELOAD");
  return preload != nullptr && std::strstr(preload, "vgpreload") != nullptr;
}

}  // namespace

std::uint64_t seed() {
  if (env().seed) return *env().seed;
  const ::testing::TestInfo* info = ::testing::UnitTest::GetInstance()->current_test_info();
  if (info == nullptr) return 1;
  return (hash_of(info->test_suite_name(), info->name()) & 0xffffffffu) | 1u;  // short enough to type; never 0
}

std::size_t workers() { return static_cast<std::size_t>(env().workers); }

bool full() { return env().full; }

std::size_t scaled(std::size_t n, std::size_t n_slow) {
  static const bool slow = slow_build();
  return slow ? n_slow : n;
}

}  // namespace hop::test
