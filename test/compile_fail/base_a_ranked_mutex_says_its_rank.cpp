// expect: no matching function for call to .*ranked_mutex
#include <hop/base/mutex.hpp>

int main() {
#ifdef CONTROL
  hop::base::ranked_mutex mu(hop::base::lock_rank::test_outer);
#else
  hop::base::ranked_mutex mu;
#endif
  hop::base::lock_guard hold(mu);
}
