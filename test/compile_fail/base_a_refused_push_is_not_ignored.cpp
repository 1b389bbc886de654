// expect: ignoring return value of .*push_back.*nodiscard
#include <hop/base/ring.hpp>

int main() {
  hop::base::ring<int, 1> r;
#ifdef CONTROL
  return r.push_back(1) ? 0 : 1;
#else
  r.push_back(1);
#endif
}
