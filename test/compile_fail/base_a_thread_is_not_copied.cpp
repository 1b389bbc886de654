// expect: use of deleted function .*thread
#include <hop/base/thread.hpp>

#include <utility>

int main() {
  hop::base::thread a;
#ifdef CONTROL
  hop::base::thread b = std::move(a);
#else
  hop::base::thread b = a;
#endif
  return b.joinable() ? 1 : 0;
}
