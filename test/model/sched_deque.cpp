// A worker's deque: every task is taken once and whole, by its owner, by thieves or after a force; newest first there, oldest
// first here; nothing is lost.
#include <hop/base/plain.hpp>
#include <hop/sched/deque.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

constexpr int most_jobs = 5;

template <std::uint32_t Capacity>
struct scene {
  struct job {
    base::plain<int> payload{0};
    bool pushed = false;
    bool taken = false;
  };
  sched::deque<job, Capacity> d;
  job jobs[most_jobs];

  // Plain code behind an operation is part of its step, so what is noted here is exact at every step.
  void note(job* j) {
    HOP_MODEL_CHECK(j >= jobs && j < jobs + most_jobs && j->pushed, "something was taken that nobody pushed");
    HOP_MODEL_CHECK(!j->taken, "a task was taken twice");
    HOP_MODEL_CHECK(j->payload.get() == static_cast<int>(j - jobs) + 1, "a task is not whole");
    j->taken = true;
  }

  // --- the owner ---
  bool push(int i) {
    jobs[i].payload.set(i + 1);
    jobs[i].pushed = true;
    if (!d.push(&jobs[i])) jobs[i].pushed = false;
    return jobs[i].pushed;
  }
  void popped(job* j) {
    note(j);
    for (job* newer = j + 1; newer < jobs + most_jobs; ++newer)
      HOP_MODEL_CHECK(!newer->pushed || newer->taken, "the owner took another than the newest");
  }
  bool pop() {
    job* const j = d.pop([] {});
    if (j != nullptr) popped(j);
    return j != nullptr;
  }
  bool pop_if(int i) {
    if (!d.pop_if(&jobs[i], [] {})) return false;
    popped(&jobs[i]);
    return true;
  }

  // --- a thief ---
  void steal(std::uint32_t most = 1) {
    job* loot[2];
    const std::uint32_t n = d.steal(loot, most);
    if (n == d.lost) return;
    for (std::uint32_t i = 0; i < n; ++i) {
      note(loot[i]);
      for (job* older = jobs; older < loot[i]; ++older)
        HOP_MODEL_CHECK(!older->pushed || older->taken, "a thief took another than the oldest");
    }
  }

  // When all is quiet.
  void drain() {
    while (pop()) {
    }
    for (const job& j : jobs) HOP_MODEL_CHECK(!j.pushed || j.taken, "a task was lost");
    HOP_MODEL_CHECK(d.empty(), "nothing is left, but it says something is");
  }
};

void owner_alone() {
  scene<4> s;
  for (int i = 0; i < 4; ++i) HOP_MODEL_CHECK(s.push(i), "there is room");
  HOP_MODEL_CHECK(!s.push(4), "a fifth one in four slots");
  HOP_MODEL_CHECK(s.d.share_all() && !s.d.share_all(), "there is one time to share");
  HOP_MODEL_CHECK(!s.pop_if(2) && s.pop_if(3) && s.pop(), "newest first");
  s.steal(2);
  HOP_MODEL_CHECK(s.jobs[0].taken && !s.jobs[1].taken, "half of what is shared, the oldest");
  HOP_MODEL_CHECK(!s.pop_if(0) && s.push(4) && s.pop_if(4) && s.pop_if(1) && !s.pop(), "newest first");
  s.drain();
}

// One is shared and one private when the thief comes; both sides take two.
void thief_and_owner() {
  scene<2> s;
  crew{}
      .add("owner",
           [&] {
             s.push(0);
             s.d.share_all();
             s.push(1);
             s.pop();
             s.pop();
           })
      .add("thief", [&] { s.steal(), s.steal(); })
      .join();
  s.drain();
}

// Four through two slots: what a thief has copied is overwritten behind its back.
void wrap_around() {
  scene<2> s;
  s.push(0);
  s.push(1);
  s.d.share_all();
  crew{}
      .add("owner",
           [&] {
             s.push(2);
             s.d.share_all();
             s.pop();
             s.push(3);
             s.d.share_all();
           })
      .add("thief", [&] { s.steal(), s.steal(); })
      .join();
  s.drain();
}

// The same slot, the same top, the same split: only the version tells that it is another task.
void same_place_again() {
  scene<2> s;
  s.push(0);
  s.d.share_all();
  crew{}
      .add("owner",
           [&] {
             s.pop();
             s.push(1);
             s.d.share_all();
           })
      .add("thief", [&] { s.steal(); })
      .join();
  s.drain();
}

void batches(int thieves) {
  scene<4> s;
  s.push(0);
  s.push(1);
  s.push(2);
  s.d.share_all();
  {
    crew c;
    c.add("owner", [&] {
      s.pop();
      s.push(3);
      s.pop_if(3);
    });
    for (int i = 0; i < thieves; ++i) c.add(i == 0 ? "thief" : "thief2", [&] { s.steal(2); });
  }
  s.drain();
}

// Asked, the owner shares half at its next push or pop.
void ask_and_answer() {
  scene<4> s;
  s.push(0);
  crew{}
      .add("owner",
           [&] {
             s.push(1);
             if (s.d.asked()) s.d.answer();
             s.pop();
           })
      .add("thief",
           [&] {
             s.d.ask();
             s.steal();
           })
      .join();
  s.drain();
}

// By force, while the owner pops: the slot is the owner's, or shared.
void force_against_pops(int pops, int steals) {
  scene<2> s;
  s.push(0);
  if (pops > 1) s.push(1);
  crew{}
      .add("owner",
           [&] {
             for (int i = 0; i < pops; ++i) s.pop();
           })
      .add("forcer",
           [&] {
             s.d.force();
             for (int i = 0; i < steals; ++i) s.steal();
           })
      .join();
  s.drain();
}

// By force, while the owner pushes: what is above or below the bottom that the forcer reads.
void force_against_push() {
  scene<2> s;
  crew{}
      .add("owner",
           [&] {
             s.push(0);
             s.push(1);
             s.pop();
           })
      .add("forcer", [&] { s.d.force(); })
      .add("thief", [&] { s.steal(); })
      .join();
  s.drain();
}

// By force, while the owner pushes without looking, and shares.
void force_against_push_and_share() {
  scene<4> s;
  s.push(0);
  crew{}
      .add("owner",
           [&] {
             s.push(1);
             s.d.share_all();
             s.pop();
           })
      .add("forcer",
           [&] {
             s.d.force();
             s.steal();
           })
      .join();
  s.drain();
}

// By force, while the owner takes back what is shared.
void force_against_take_back() {
  scene<2> s;
  s.push(0);
  s.d.share_all();
  crew{}
      .add("owner",
           [&] {
             s.pop_if(0);
             s.push(1);
             s.pop_if(1);
           })
      .add("forcer",
           [&] {
             s.d.force();
             s.steal();
           })
      .join();
  s.drain();
}

// By force, while the owner answers a request.
void force_against_answer() {
  scene<4> s;
  s.push(0);
  s.push(1);
  s.d.ask();
  crew{}
      .add("owner",
           [&] {
             s.d.answer();
             s.pop();
           })
      .add("forcer",
           [&] {
             s.d.force();
             s.steal();
           })
      .join();
  s.drain();
}

// By force, while the owner looks for room: what was forced and stolen makes room, and no more than that.
void force_against_full() {
  scene<2> s;
  s.push(0);
  s.push(1);
  crew{}
      .add("owner",
           [&] {
             s.push(2);
             s.push(3);
             s.push(4);
           })
      .add("forcer",
           [&] {
             s.d.force();
             s.steal();
           })
      .join();
  s.drain();
}

// The watcher forces, and comes by once more while the owner is just learning of the first.
void two_forces() {
  scene<2> s;
  crew{}
      .add("owner",
           [&] {
             s.push(0);
             s.d.answer();
             s.pop();
           })
      .add("forcer",
           [&] {
             s.d.force();
             s.d.force();
             s.steal();
           })
      .join();
  s.drain();
}

// The watcher forces, a thief takes it, and the watcher comes by once more while the owner still has its bottom below.
void two_forces_and_a_thief() {
  scene<2> s;
  s.push(0);
  crew{}
      .add("owner", [&] { s.pop(); })
      .add("forcer",
           [&] {
             s.d.force();
             s.steal();
             s.d.force();
             s.steal();
           })
      .join();
  s.drain();
}

// Everything at once.
void everybody(int thieves) {
  scene<2> s;
  {
    crew c;
    c.add("owner", [&] {
      for (int i = 0; i < 4; ++i) {
        if (s.push(i) && s.d.asked()) s.d.answer();
        if (i == 1) s.d.share_all();
        if (i != 0) s.pop();
      }
      s.push(4);
      s.pop_if(4);
    });
    for (int i = 0; i < thieves; ++i)
      c.add(i == 0 ? "thief" : "thief2", [&] {
        s.steal(2);
        s.d.ask();
        s.steal(1);
      });
    c.add("forcer", [&] {
      s.d.force();
      s.steal(1);
      s.d.force();
    });
  }
  s.drain();
}

const char* const before_reuse =
    "keeps a thief's read of a slot before the owner's next use of it: load buffering, beyond this model";
const char* const publishes_nothing =
    "it publishes nothing of its own, and as an exchange it continues the release of who shared";
const char* const heavy = "the heavy fence shows the forcer all that its owner did before";
const char* const not_forced = "nobody forces here; sched_deque_force_push needs it";

const registration pieces[] = {
    registration{{.name = "sched_deque_alone",
                  .row = "B1",
                  .claim = "newest first for its owner, oldest first for a thief, and full is full",
                  .body = owner_alone}},
    registration{{.name = "sched_deque",
                  .row = "B1",
                  .claim = "each task is taken once and whole: an owner and a thief",
                  .body = thief_and_owner}},
    registration{{.name = "sched_deque_wrap",
                  .row = "B1",
                  .claim = "a copy that was overwritten is given up",
                  .body = wrap_around,
                  .weaken_in = {"deque.hpp"},
                  .survivors = {{"push: store release -> relaxed", not_forced},
                                {"lower_bottom: store release -> relaxed", not_forced},
                                {"steal: rmw release -> relaxed", before_reuse},
                                {"take_back: load acquire -> relaxed", before_reuse},
                                {"take_back: rmw acq_rel -> acquire", publishes_nothing},
                                {"take_back: rmw acq_rel -> release", before_reuse},
                                {"take_back: failed cas acquire -> relaxed", before_reuse},
                                {"share_at_most: rmw acq_rel -> release", before_reuse},
                                {"find_room: load acquire -> relaxed", before_reuse}}}},
    registration{{.name = "sched_deque_version",
                  .row = "B1",
                  .claim = "another task in the same place is told apart",
                  .body = same_place_again,
                  .code_mutants = {"deque: the version stands still"}}},
    registration{{.name = "sched_deque_batch",
                  .row = "E5",
                  .claim = "two at once are taken once each",
                  .body = [] { batches(1); }}},
    registration{{.name = "sched_deque_two_thieves",
                  .row = "E5",
                  .claim = "two thieves and their batches",
                  .body = [] { batches(2); },
                  .how = {.how = strategy::bounded, .preemptions = 2}}},
    registration{{.name = "sched_deque_ask",
                  .row = "E5",
                  .claim = "asked, the owner shares half, and loses nothing",
                  .body = ask_and_answer}},
    registration{{.name = "sched_deque_force",
                  .row = "E5",
                  .claim = "a forced slot is the owner's or a thief's",
                  .body = [] { force_against_pops(1, 1); },
                  .code_mutants = {"deque: force without the heavy fence"}}},
    registration{{.name = "sched_deque_force_two",
                  .row = "E5",
                  .claim = "a force against two pops",
                  .body = [] { force_against_pops(2, 2); },
                  .spurious = false,
                  .code_mutants = {"deque: force without the heavy fence"}}},
    registration{{.name = "sched_deque_force_share",
                  .row = "E5",
                  .claim = "a force against a push and a share",
                  .body = force_against_push_and_share,
                  .spurious = false,
                  .code_mutants = {"deque: force lowers the split"}}},
    registration{{.name = "sched_deque_force_back",
                  .row = "E5",
                  .claim = "a force against one who takes back",
                  .body = force_against_take_back,
                  .spurious = false}},
    registration{{.name = "sched_deque_force_answer",
                  .row = "E5",
                  .claim = "a force against an answer",
                  .body = force_against_answer,
                  .spurious = false,
                  .code_mutants = {"deque: answer counts before it settles"}}},
    registration{{.name = "sched_deque_force_full",
                  .row = "E5",
                  .claim = "a force against one who looks for room",
                  .body = force_against_full,
                  .code_mutants = {"deque: room is counted from the split"}}},
    registration{{.name = "sched_deque_force_again",
                  .row = "E5",
                  .claim = "a force, and another",
                  .body = two_forces,
                  .how = {.how = strategy::bounded, .preemptions = 4},
                  .spurious = false,
                  .code_mutants = {"deque: force upon a force"}}},
    registration{{.name = "sched_deque_force_thief",
                  .row = "E5",
                  .claim = "a force, a theft and another force",
                  .body = two_forces_and_a_thief,
                  .how = {.how = strategy::bounded, .preemptions = 4},
                  .spurious = false,
                  .code_mutants = {"deque: force lowers the split"}}},
    registration{{.name = "sched_deque_force_push",
                  .row = "E5",
                  .claim = "a force against pushes: what a thief takes then is whole",
                  .body = force_against_push,
                  .spurious = false,
                  .weaken_in = {"deque.hpp"},
                  .survivors = {{"steal: rmw release -> relaxed", before_reuse},
                                {"take_back: load acquire -> relaxed", before_reuse},
                                {"take_back: rmw acq_rel -> acquire", publishes_nothing},
                                {"take_back: rmw acq_rel -> release", before_reuse},
                                {"take_back: failed cas acquire -> relaxed", before_reuse},
                                {"force: rmw acquire -> relaxed", heavy},
                                {"settle: rmw release -> relaxed", heavy}}}},
    registration{{.name = "sched_deque_sampled",
                  .row = "E5",
                  .claim = "an owner, two thieves and a forcer, sampled",
                  .body = [] { everybody(2); },
                  .how = {.how = strategy::random, .runs = 60'000}}},
};

}  // namespace
}  // namespace hop::model
