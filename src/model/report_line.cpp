#include "model/report_line.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>

namespace hop::model {

namespace {

std::string quoted(const std::string& s) {
  std::string out;
  for (char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

}  // namespace

void report_line(const std::string& row, const std::string& claim, bool passed, std::uint64_t seed, double seconds) {
  const char* path = std::getenv("HOP_REPORT");
  if (path == nullptr || *path == '\0') return;
  const std::string line =
      fmt::format(R"({{"row":"{}","claim":"{}","preset":"model","workers":1,"seed":{},"state":"{}","seconds":{:.3f}}})"
                  "\n",
                  quoted(row), quoted(claim), seed, passed ? "passed" : "failed", seconds);
  const int fd = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return;
  if (::write(fd, line.data(), line.size()) < 0) fmt::print(stderr, "hop_model: cannot write {}\n", path);
  ::close(fd);
}

}  // namespace hop::model
