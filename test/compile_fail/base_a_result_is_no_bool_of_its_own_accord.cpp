// expect: cannot convert .*result<bool>.* to .*bool.* in initialization
#include <hop/base/result.hpp>

hop::result<bool> ready() { return false; }

int main() {
#ifdef CONTROL
  const bool is_ready = ready().value();
#else
  const bool is_ready = ready();  // "there is a value", read as the value
#endif
  return is_ready ? 1 : 0;
}
