#include <hop/base/assert.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if HOP_MODEL
#include "model/engine.hpp"
#endif

namespace hop::base {

#if HOP_MODEL

void panic(const char* what, place where) noexcept(false) { model::fail(what, where); }

#else

namespace {

// Builds one line without allocating, so that it may run on any stack and in a signal handler.
class line {
 public:
  line& add(const char* text, std::size_t most = SIZE_MAX) noexcept {
    const std::size_t n = std::min({std::strlen(text), most, buffer_.size() - used_});
    std::memcpy(buffer_.data() + used_, text, n);
    used_ += n;
    return *this;
  }
  line& add(unsigned long value) noexcept {
    char digits[24];
    char* at = digits + sizeof digits;
    *--at = '\0';
    do *--at = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    return add(at);
  }
  void write_to_stderr() const noexcept {
    if (::write(STDERR_FILENO, buffer_.data(), used_) < 0) return;  // nobody is left to tell
  }

 private:
  std::array<char, 1024> buffer_{};
  std::size_t used_ = 0;
};

}  // namespace

void panic(const char* what, place where) noexcept {
  line l;
  l.add("hopsack: ").add(what, 512).add(" at ").add(where.file).add(":").add(static_cast<unsigned long>(where.line));
  l.add(" in ").add(where.function).add("\n");
  l.write_to_stderr();
  std::abort();
}

#endif

}  // namespace hop::base
