// expect: hop::base::ring: capacity is a power of two
#include <hop/base/ring.hpp>

int main() {
#ifdef CONTROL
  hop::base::ring<int, 8> r;
#else
  hop::base::ring<int, 12> r;
#endif
  return static_cast<int>(r.size());
}
