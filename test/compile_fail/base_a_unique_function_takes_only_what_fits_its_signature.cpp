// expect: callable_as
#include <hop/base/unique_function.hpp>

int main() {
#ifdef CONTROL
  hop::unique_function<int(int)> f([](int n) { return n; });
#else
  hop::unique_function<int(int)> f([](int* n) { return *n; });
#endif
  return f(0);
}
