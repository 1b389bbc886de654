// expect: no match for .operator\+.
#include <hop/base/clock.hpp>

int main() {
#ifdef CONTROL
  const hop::instant t = hop::instant{0} + std::chrono::milliseconds(1500);
#else
  const hop::instant t = hop::instant{0} + std::chrono::duration<double>(1.5);  // would be rounded in silence
#endif
  return t.ns() == 0 ? 1 : 0;
}
