// main() of every test program, and the listener that writes the report.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/environment.hpp"
#include "support/hop_test.hpp"

namespace {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (u < 0x20 || u > 0x7e) {  // other bytes may be half of a character: a report is always plain ASCII
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(u));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

class reporter : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo&) override { detail_.clear(); }

  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!detail_.empty() || part.passed()) return;
    if (part.file_name() != nullptr)
      detail_ = std::string(part.file_name()) + ":" + std::to_string(part.line_number()) + ": ";
    detail_ += part.message();
  }

  void OnTestEnd(const ::testing::TestInfo& info) override {
    const bool failed = info.result()->Failed();
    if (failed) say_how_to_repeat(info.test_suite_name());
    append(info, failed ? "failed" : info.result()->Skipped() ? "skipped" : "passed");
  }

 private:
  static void say_how_to_repeat(const char* suite) {
    const char* option = suite[0] >= 'A' && suite[0] <= 'Z' ? "--row" : "--room";
    std::printf("seed %" PRIu64 ", %zu workers; again: ./dev test %s %s --seed %" PRIu64 "\n", hop::test::seed(),
                hop::test::workers(), option, suite, hop::test::seed());
    std::fflush(stdout);
  }

  void append(const ::testing::TestInfo& info, const char* state) const {
    const hop::test::environment& e = hop::test::env();
    if (e.report.empty()) return;
    char numbers[128];
    std::snprintf(numbers, sizeof numbers,
                  ",\"workers\":%" PRIu64 ",\"seed\":%" PRIu64 ",\"state\":\"%s\",\"seconds\":%.3f", e.workers,
                  hop::test::seed(), state, static_cast<double>(info.result()->elapsed_time()) / 1000.0);
    std::string line = "{\"row\":" + json_text(info.test_suite_name()) + ",\"claim\":" + json_text(info.name()) +
                       ",\"preset\":" + json_text(e.preset) + numbers;
    if (!detail_.empty()) line += ",\"detail\":" + json_text(detail_.substr(0, 4000));
    line += "}\n";
    // One write in append mode: programs that run side by side never mix their lines.
    const int fd = ::open(e.report.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || ::write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      std::perror(e.report.c_str());
      std::_Exit(2);
    }
    ::close(fd);
  }

  std::string detail_;  // the first failure, or the reason of a skip
};

}  // namespace

int main(int argc, char** argv) {
  // A death test forks; with threads about, only a fresh exec of the program is safe.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ::testing::InitGoogleTest(&argc, argv);
  hop::test::env();
  ::testing::UnitTest::GetInstance()->listeners().Append(new reporter);  // owned by the listeners
  return RUN_ALL_TESTS();
}
