// expect: use of deleted function .*unique_function
#include <hop/base/unique_function.hpp>

#include <utility>

int main() {
  hop::unique_function<int()> f = [] { return 0; };
#ifdef CONTROL
  hop::unique_function<int()> g = std::move(f);
#else
  hop::unique_function<int()> g = f;
#endif
  return g();
}
