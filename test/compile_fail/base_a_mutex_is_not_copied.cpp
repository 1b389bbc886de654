// expect: use of deleted function .*futex_mutex
#include <hop/base/mutex.hpp>

int main() {
  hop::base::mutex a;
#ifdef CONTROL
  hop::base::mutex& b = a;
#else
  hop::base::mutex b = a;
#endif
  const bool got = b.try_lock();
  return got ? 0 : 1;
}
