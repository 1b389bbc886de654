// expect: hop::result holds values; use a pointer for a reference
#include <hop/base/result.hpp>

int main() {
  static int n = 0;
#ifdef CONTROL
  hop::result<int*> r(&n);
#else
  hop::result<int&> r(n);
#endif
  return r.has_value() ? 0 : 1;
}
