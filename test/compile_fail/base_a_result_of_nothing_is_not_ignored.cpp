// expect: ignoring returned value of type .*result<void>.*nodiscard
#include <hop/base/result.hpp>

hop::result<void> fails() { return hop::errc::closed; }

int main() {
#ifdef CONTROL
  return fails().has_value() ? 1 : 0;
#else
  fails();
#endif
}
