// place: file, line and function of a call. std::source_location's job; clang 14 has none with this library.
#pragma once

namespace hop::base {

struct place {
  const char* file = "";
  int line = 0;
  const char* function = "";

  [[nodiscard]] static constexpr place here(const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                                            const char* function = __builtin_FUNCTION()) noexcept {
    return {file, line, function};
  }
};

}  // namespace hop::base
