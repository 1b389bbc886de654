// Treiber's stack: the ABA problem is found, the counted head does not have it.
#include "crew.hpp"
#include "textbook/treiber_stack.hpp"

namespace hop::model {
namespace {

// One thread pops; the other pops two and pushes the first back. Afterwards no node may be in two places.
template <bool Counted>
void pop_against_reuse() {
  treiber_stack<Counted> s;
  constexpr std::uint32_t none = treiber_stack<Counted>::none;
  base::plain<int> payload[3];
  s.push(0);
  s.push(1);
  int owners[3] = {0, 0, 0};
  const auto own = [&](std::uint32_t n) {
    if (n == none) return;
    ++owners[n];
    payload[n].set(payload[n].get() + 1);
  };
  crew{}.add("popper", [&] { own(s.pop()); }).add("reuser", [&] {
    const std::uint32_t first = s.pop(), second = s.pop();
    if (first != none) s.push(first);
    own(second);
  });
  for (std::uint32_t n = s.pop(); n != none; n = s.pop()) own(n);
  for (int n = 0; n < 2; ++n) HOP_MODEL_CHECK(owners[n] == 1, "a node was lost or taken twice");
}

// What was written before push() is seen after pop(), and nothing is lost on the way.
void publishes() {
  treiber_stack<true> s;
  base::plain<int> payload{0};
  int popped = 0;
  const auto pop = [&] {
    const std::uint32_t n = s.pop();
    if (n == 0) HOP_MODEL_CHECK(payload.get() == 7, "popped before its payload was there");
    if (n != treiber_stack<true>::none) ++popped;
    return n != treiber_stack<true>::none;
  };
  crew{}
      .add("pusher",
           [&] {
             payload.set(7);
             s.push(0);
           })
      .add("middle", [&] { s.push(1); })
      .add("popper", [&] {
        pop();
        pop();
      });
  while (popped <= 2 && pop()) {
  }
  HOP_MODEL_CHECK(popped == 2, "a node was lost or taken twice");
}

const registration pieces[] = {
    registration{{.name = "treiber_aba",
                  .row = "B14",
                  .claim = "an uncounted head loses or doubles a node",
                  .body = pop_against_reuse<false>,
                  .must_find = "a node was lost or taken twice"}},
    registration{
        {.name = "treiber_counted", .row = "B14", .claim = "a counted head does not", .body = pop_against_reuse<true>}},
    registration{{.name = "treiber_publishes",
                  .claim = "a popped payload is whole",
                  .body = publishes,
                  .weaken_in = {"treiber_stack.hpp"},
                  .survivors = {{"pop: rmw acquire -> relaxed",
                                 "the counted head is the very store that was acquired by the load"}}}},
};

}  // namespace
}  // namespace hop::model
