// The sink cell: when exchange() returns, no call with the old target runs or will start, and nobody waits for ever.
#include <hop/base/plain.hpp>
#include <hop/obs/sink_cell.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using cell = obs::sink_cell<int>;
using context = base::plain<int>;  // 0: alive, more: used so often, -1: its owner took it away

// Calls use the context they are given; the exchanger takes each old context away as soon as it may.
void contexts_outlive_calls(int callers, int calls, int exchanges) {
  cell c;
  context contexts[3];
  c.exchange({1, &contexts[0]});
  crew threads;
  for (int i = 0; i < callers; ++i) {
    threads.add(i == 0 ? "caller" : "caller2", [&] {
      for (int k = 0; k < calls; ++k) {
        c.call([&](const cell::target& t) {
          auto& used = *static_cast<context*>(t.context);
          HOP_MODEL_CHECK(used.get() >= 0, "a call got a context that was taken away");
          if (callers == 1) used.set(used.get() + 1);  // what a call wrote is seen by whoever takes the context away
        });
      }
    });
  }
  threads.add("exchanger", [&] {
    for (int k = 0; k < exchanges; ++k) {
      c.exchange({k + 2, &contexts[k + 1]});
      contexts[k].set(-1);
    }
  });
  threads.join();
  int function = 0;
  c.call([&](const cell::target& t) { function = t.function; });
  HOP_MODEL_CHECK(function == exchanges + 1, "the last exchange is not in force");
}

const registration pieces[] = {
    registration{
        {.name = "obs_sink_cell",
         .row = "obs",
         .claim = "O7 O8 one caller, two exchanges",
         .body = [] { contexts_outlive_calls(1, 1, 2); },
         .code_mutants = {"sink_cell: does not wait for callers", "sink_cell: no second look",
                          "sink_cell: last one out wakes nobody"},
         .weaken_in = {"sink_cell.hpp"},
         .survivors = {{"enter: load seq_cst -> acquire", "a guess: the look after the addition decides and acquires"},
                       {"enter: load seq_cst -> relaxed",
                        "a guess: the look after the addition decides and acquires"}}}},
    registration{{.name = "obs_sink_cell_two_callers",
                  .row = "obs",
                  .claim = "O7 O8 two callers, one exchange",
                  .body = [] { contexts_outlive_calls(2, 1, 1); },
                  .how = {.how = strategy::bounded, .preemptions = 2}}},
    registration{{.name = "obs_sink_cell_busy",
                  .row = "obs",
                  .claim = "O7 O8 two callers, two calls, two exchanges, sampled",
                  .body = [] { contexts_outlive_calls(2, 2, 2); },
                  .how = {.how = strategy::random, .runs = 50'000}}},
};

}  // namespace
}  // namespace hop::model
