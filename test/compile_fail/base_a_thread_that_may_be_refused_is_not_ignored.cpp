// expect: ignoring return.*nodiscard
#include <hop/base/thread.hpp>

int main() {
#ifdef CONTROL
  hop::base::thread::start("name", [] {}).value().join();
#else
  hop::base::thread::start("name", [] {});
#endif
}
