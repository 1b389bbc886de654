// The seqlock never shows half a write; each of its four orders is needed.
#include "textbook/seqlock.hpp"

#include "crew.hpp"

namespace hop::model {
namespace {

void never_torn() {
  seqlock l;
  crew{}
      .add("writer",
           [&] {
             l.write(1, 1);
             l.write(2, 2);
           })
      .add("reader", [&] {
        int a = 0, b = 0;
        if (l.try_read(a, b)) HOP_MODEL_CHECK(a == b, "half a write was read");
      });
}

const registration pieces[] = {
    registration{{.name = "seqlock",
                  .claim = "a reader that succeeds saw one whole write",
                  .body = never_torn,
                  .weaken_in = {"seqlock.hpp"}}},
};

}  // namespace
}  // namespace hop::model
