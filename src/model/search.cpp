#include <chrono>
#include <memory>

#include "model/piece.hpp"
#include "model/strategies.hpp"

namespace hop::model {

namespace {

std::unique_ptr<chooser> make_chooser(const search& s, std::uint64_t seed) {
  switch (s.how) {
    case strategy::bounded:
      return std::make_unique<bounded_chooser>(s.preemptions);
    case strategy::random:
      return std::make_unique<random_chooser>(seed, s.runs);
    case strategy::exhaustive:
      break;
  }
  return std::make_unique<exhaustive_chooser>();
}

// Plants for one scope, so that no path leaves a defect behind.
class planting {
 public:
  explicit planting(const mutant* m) { plant(m); }
  ~planting() { plant(nullptr); }
  planting(const planting&) = delete;
  planting& operator=(const planting&) = delete;
};

}  // namespace

std::vector<piece>& all_pieces() {
  static std::vector<piece> pieces;
  return pieces;
}

search_report search_piece(const piece& p, const mutant* planted, std::uint64_t seed) {
  const planting here{planted};
  const auto began = std::chrono::steady_clock::now();
  set_search_seed(seed);
  const auto decide = make_chooser(p.how, seed);
  search_report r;
  do {
    if (r.runs == p.how.most_runs && p.how.how != strategy::random) {
      r.complete = false;
      break;
    }
    run_outcome o = engine::run(p.body, *decide, {.spurious = p.spurious});
    ++r.runs;
    r.pruned += o.pruned ? 1 : 0;
    r.steps += o.steps;
    if (o.failure) {
      r.finding = std::move(o);
      break;
    }
  } while (decide->next_run());
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return r;
}

run_outcome replay_piece(const piece& p, const mutant* planted, const std::vector<std::uint32_t>& choices,
                         bool& strayed) {
  const planting here{planted};
  replay_chooser decide{choices};
  run_outcome o = engine::run(p.body, decide, {.spurious = p.spurious, .tracing = true});
  strayed = decide.strayed();
  return o;
}

}  // namespace hop::model
