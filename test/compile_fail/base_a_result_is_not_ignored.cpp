// expect: ignoring returned value of type .*result<int>.*nodiscard
#include <hop/base/result.hpp>

hop::result<int> half(int n) {
  if (n % 2 != 0) return hop::errc::invalid;
  return n / 2;
}

int main() {
#ifdef CONTROL
  return half(2).has_value() ? 0 : 1;
#else
  half(2);
#endif
}
