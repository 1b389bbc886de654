// expect: hop::result<errc> would be ambiguous; use result<void>
#include <hop/base/result.hpp>

int main() {
#ifdef CONTROL
  hop::result<void> r(hop::errc::closed);
#else
  hop::result<hop::errc> r(hop::errc::closed);
#endif
  return r.has_value() ? 0 : 1;
}
