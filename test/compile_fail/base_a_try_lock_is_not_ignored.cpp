// expect: ignoring return value of .*try_lock.*nodiscard
#include <hop/base/mutex.hpp>

int main() {
  hop::base::mutex mu;
#ifdef CONTROL
  return mu.try_lock() ? 0 : 1;
#else
  mu.try_lock();
#endif
}
