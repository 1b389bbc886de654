// expect: use of deleted function .*list_hook
#include <hop/base/intrusive_list.hpp>

struct element : hop::base::list_hook<> {};

int main() {
  element a;
#ifdef CONTROL
  element& b = a;
#else
  element b = a;
#endif
  return b.linked() ? 1 : 0;
}
