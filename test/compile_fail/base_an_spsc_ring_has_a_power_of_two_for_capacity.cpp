// expect: hop::base::spsc_ring: capacity is a power of two
#include <hop/base/spsc_ring.hpp>

int main() {
#ifdef CONTROL
  hop::base::spsc_ring<int, 1> r;
#else
  hop::base::spsc_ring<int, 0> r;
#endif
  return r.seems_empty() ? 0 : 1;
}
