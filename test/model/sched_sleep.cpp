// The sleep board: work that is posted is found, whoever is just looking, announcing, registering or asleep; the counts are right
// at every step; no more are woken than there is work for.
#include <hop/base/clock.hpp>
#include <hop/base/plain.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/sched/inbox.hpp>
#include <hop/sched/sleep_board.hpp>
#include <hop/sched/task.hpp>

#include "crew.hpp"

namespace hop::model {
namespace {

using std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release;

enum class door {
  outside,
  inside
};

struct office {
  struct job {
    base::plain<job*> next{nullptr};
    base::plain<int> payload{0};
  };
  explicit office(std::size_t n) : workers(n), board(n) {}

  std::size_t workers;
  sched::sleep_board board;
  sched::inbox<job> box;
  job jobs[4];
  int ran = 0;
  std::size_t woken = 0;
  base::deadline until = base::never;

  void check(sched::sleep_counts c) const {
    HOP_MODEL_CHECK(c.sleeping() <= workers, "more sleepers than workers, or fewer than none");
    HOP_MODEL_CHECK(c.inactive() <= workers, "more inactive ones than workers, or fewer than none");
    HOP_MODEL_CHECK(c.sleeping() <= c.inactive(), "one sleeps that is not inactive");
  }
  void post(int i, door d) {
    jobs[i].payload.set(i + 1);
    box.push(&jobs[i]);
    woken += d == door::outside ? board.post_from_outside() : board.post(1);
  }
  bool run(job* j) {
    if (j == nullptr) return false;
    HOP_MODEL_CHECK(j->payload.get() == static_cast<int>(j - jobs) + 1, "a task is not whole");
    j->payload.set(0);
    ++ran;
    return true;
  }
  // As the loop of a worker does it.
  template <class Look, class LastLook>
  void wait_for(std::size_t me, Look&& look, LastLook&& last_look) {
    if (look()) return;
    board.start_looking();
    for (;;) {
      if (look()) break;
      const std::uint32_t ticket = board.announce();
      if (look()) break;
      if (board.try_sleep(me, ticket, last_look, until)) continue;
      // Where a worker yields: only what others did is news, and without news there is nothing to look for.
      base::spin_hint();
      if (look()) break;
      if (last_look()) base::spin_hint();
    }
    if (board.work_found()) board.wake(1);
  }
  void work(std::size_t me, int count) {
    for (int i = 0; i < count; ++i)
      wait_for(
          me, [&] { return run(box.take()); }, [&] { return !box.seems_empty(); });
  }
  void done(int posted) {
    HOP_MODEL_CHECK(ran == posted, "not everything was run");
    HOP_MODEL_CHECK(woken <= static_cast<std::size_t>(posted), "more were woken than there was work for");
    all_gone();
  }
  void all_gone() {
    const sched::sleep_counts c = board.counts();
    HOP_MODEL_CHECK(c.sleeping() == 0 && c.inactive() == 0, "nobody is there, but the counts say so");
  }
};

constexpr const char* worker_names[] = {"worker", "worker2", "worker3"};
constexpr const char* poster_names[] = {"poster", "poster2"};

// Every worker runs `each`, the posters post as many.
void work_is_found(int workers, int each, int posters, door d) {
  office o{static_cast<std::size_t>(workers)};
  const int jobs = workers * each;
  {
    crew c;
    for (int i = 0; i < workers; ++i)
      c.add(worker_names[i], [&o, i, each] { o.work(static_cast<std::size_t>(i), each); });
    for (int p = 0; p < posters; ++p)
      c.add(poster_names[p], [&o, p, posters, jobs, d] {
        for (int i = p; i < jobs; i += posters) o.post(i, d);
      });
  }
  o.done(jobs);
}

// One is woken and lies down again at once, and somebody looks at the counts at any moment.
void counts_are_right() {
  office o{1};
  crew{}
      .add("worker",
           [&] {
             o.board.start_looking();
             o.board.try_sleep(0, o.board.announce(), [] { return false; });
             o.board.try_sleep(0, o.board.announce(), [] { return true; });
             HOP_MODEL_CHECK(!o.board.work_found(), "nobody else is there");
           })
      .add("waker",
           [&] {
             while (!o.board.wake_one(0)) base::spin_hint();
           })
      .add("watcher", [&] { o.check(o.board.counts()); })
      .join();
  o.all_gone();
}

// A poster wakes nobody, because one looks. That one finds something else: then it owes the wake. The first post is about that
// something; it has made the counter odd already, so the second one only reads.
void the_wake_is_owed() {
  office o{2};
  o.board.start_looking();
  crew{}
      .add("looker",
           [&] {
             if (o.board.work_found()) o.board.wake(1);
           })
      .add("sleeper", [&] { o.work(1, 1); })
      .add("poster",
           [&] {
             o.board.post();
             o.post(0, door::inside);
           })
      .join();
  HOP_MODEL_CHECK(o.ran == 1, "not everything was run");
  o.all_gone();
}

// The counter by itself: what is posted between the announcement and the bed makes every ticket of that time void, also when
// somebody has announced anew.
void a_post_voids_the_tickets() {
  office o{2};
  base::atomic<int> step{0};
  const auto await = [&](int n) {
    while (step.load(memory_order_acquire) != n) base::spin_hint();
  };
  o.board.start_looking();
  o.board.start_looking();
  crew{}
      .add("worker",
           [&] {
             const std::uint32_t ticket = o.board.announce();
             step.store(1, memory_order_release);
             await(2);
             HOP_MODEL_CHECK(!o.board.try_sleep(0, ticket, [] { return false; }), "slept, and something was posted");
           })
      .add("poster",
           [&] {
             await(1);
             const std::uint32_t ticket = o.board.announce();
             o.board.post();
             HOP_MODEL_CHECK(o.board.announce() != ticket, "a new ticket equals one that is void");
             step.store(2, memory_order_release);
             HOP_MODEL_CHECK(!o.board.try_sleep(1, ticket, [] { return false; }), "slept, and something was posted");
           })
      .join();
}

// A latch beside the queue: set while its waiter looks, says that it is sleepy, or sleeps.
void a_latch_is_seen() {
  static constexpr sched::task_kind none{nullptr, "latch"};
  office o{1};
  sched::task latch(none, nullptr);
  base::plain<int> result{0};
  crew{}
      .add("worker",
           [&] {
             o.wait_for(
                 0, [&] { return latch.done(); }, [&] { return latch.done() || !o.box.seems_empty(); });
             HOP_MODEL_CHECK(result.get() == 1, "the latch was set before its news were there");
           })
      .add("setter",
           [&] {
             result.set(1);
             static_cast<void>(latch.finish());
             o.woken += o.board.post_from_outside();
           })
      .join();
  o.all_gone();
}

// One looks anyway: nobody is woken for one job, one for two.
void exactly_enough() {
  office o{2};
  o.board.start_looking();
  crew c;
  c.add("worker", [&] {
    o.board.start_looking();
    while (!o.board.try_sleep(1, o.board.announce(), [] { return false; })) {
    }
    HOP_MODEL_CHECK(!o.board.work_found(), "it was not the last one that looks");
  });
  while (o.board.counts().sleeping() != 1 || !o.board.sleeps(1)) base::spin_hint();
  HOP_MODEL_CHECK(o.board.post(1) == 0, "woken although one looks");
  HOP_MODEL_CHECK(o.board.post(2) == 1, "one for each job beyond those who look");
  HOP_MODEL_CHECK(o.board.post(2) == 0, "woken, and nobody sleeps");
  c.join();
  HOP_MODEL_CHECK(!o.board.work_found(), "nobody sleeps");
}

// Who sleeps for a time may get up while it is being woken: it is taken out of the count once.
void timed_sleep(int posts) {
  office o{1};
  o.until = base::clock::now() + std::chrono::milliseconds{1};
  crew{}
      .add("worker",
           [&] {
             o.board.start_looking();
             o.board.try_sleep(
                 0, o.board.announce(), [&] { return !o.box.seems_empty(); }, o.until);
             static_cast<void>(o.board.work_found());
             o.check(o.board.counts());
           })
      .add("poster",
           [&] {
             for (int i = 0; i < posts; ++i) o.post(i, door::outside);
             o.check(o.board.counts());
           })
      .join();
  while (o.run(o.box.take())) {
  }
  o.done(posts);
}

// The end: a flag, a post and a wake for all.
void all_are_stopped(int workers) {
  office o{static_cast<std::size_t>(workers)};
  base::atomic<bool> stopping{false};
  const auto stop = [&] { return stopping.load(memory_order_relaxed); };
  {
    crew c;
    for (int i = 0; i < workers; ++i)
      c.add(worker_names[i], [&o, &stop, i] { o.wait_for(static_cast<std::size_t>(i), stop, stop); });
    c.add("stopper", [&] {
      stopping.store(true, memory_order_relaxed);
      o.board.post_from_outside();
      o.board.wake(o.workers);
    });
  }
  o.done(0);
}

const char* const one_word =
    "the counts are one word, whose exchanges have one order; the fences order it with the queues";
const char* const fenced = "the fence before it orders it behind what was posted";
const char* const in_before_out =
    "keeps the waker's subtraction behind the sleeper's addition: one order of steps here, beyond this model";
const char* const looks_again = "who misses what was posted passes both fences again before it sleeps";

const registration pieces[] = {
    registration{
        {.name = "sched_sleep",
         .row = "B10",
         .claim = "one worker, one poster: the work is found",
         .body = [] { work_is_found(1, 1, 1, door::outside); },
         .spurious = false,
         .code_mutants = {"sleep_board: no fence before the last look", "sleep_board: no fence before posting"},
         .weaken_in = {"sleep_board.hpp"},
         .survivors = {{"start_looking: rmw seq_cst -> acq_rel", one_word},
                       {"start_looking: rmw seq_cst -> relaxed", one_word},
                       {"work_found: rmw seq_cst -> acq_rel", one_word},
                       {"work_found: rmw seq_cst -> relaxed", one_word},
                       {"announce: rmw seq_cst -> acq_rel", one_word},
                       {"announce: rmw seq_cst -> relaxed", one_word},
                       {"wake_one: rmw seq_cst -> acq_rel", one_word},
                       {"wake_one: rmw seq_cst -> relaxed", one_word},
                       {"enter_count: rmw seq_cst -> acq_rel", one_word},
                       {"enter_count: rmw seq_cst -> relaxed", one_word},
                       {"leave_bed: rmw seq_cst -> acq_rel", one_word},
                       {"leave_bed: rmw seq_cst -> relaxed", one_word},
                       {"make_active: rmw seq_cst -> acq_rel", one_word},
                       {"make_active: rmw seq_cst -> relaxed", one_word},
                       {"make_active: load seq_cst -> acquire", fenced},
                       {"make_active: load seq_cst -> relaxed", fenced},
                       {"make_active: failed cas seq_cst -> acquire", fenced},
                       {"make_active: failed cas seq_cst -> relaxed", fenced},
                       {"lie_down: store release -> relaxed", in_before_out},
                       {"wake_one: rmw acquire -> relaxed", in_before_out},
                       {"wake_one: store release -> relaxed", looks_again},
                       {"sleep_in: load acquire -> relaxed", looks_again},
                       {"leave_bed: rmw acquire -> relaxed",
                        "who gets up by itself has learnt nothing; only the compiler wants it"},
                       {"leave_bed: failed cas acquire -> relaxed", looks_again},
                       {"leave_bed: load acquire -> relaxed", looks_again}}}},
    registration{{.name = "sched_sleep_idly",
                  .row = "B6",
                  .claim = "the same with wake-ups and failures for no reason",
                  .body = [] { work_is_found(1, 1, 1, door::outside); }}},
    registration{{.name = "sched_sleep_inside",
                  .row = "B5",
                  .claim = "one worker, two posters from inside",
                  .body = [] { work_is_found(1, 2, 2, door::inside); },
                  .how = {.how = strategy::bounded, .preemptions = 2},
                  .spurious = false,
                  .code_mutants = {"sleep_board: no fence before the last look", "sleep_board: no fence before posting",
                                   "sleep_board: up before it is out of the count"}}},
    registration{{.name = "sched_sleep_owed",
                  .row = "B8",
                  .claim = "who was counted on and found something else wakes another",
                  .body = the_wake_is_owed,
                  .how = {.how = strategy::bounded, .preemptions = 2},
                  .spurious = false,
                  .code_mutants = {"sleep_board: who finds work wakes nobody",
                                   "sleep_board: no fence before the wake that is owed"}}},
    registration{{.name = "sched_sleep_two",
                  .row = "B5",
                  .claim = "two workers, one poster: nobody is left asleep",
                  .body = [] { work_is_found(2, 1, 1, door::outside); },
                  .how = {.how = strategy::bounded, .preemptions = 1},
                  .spurious = false}},
    registration{{.name = "sched_sleep_two_inside",
                  .row = "B5",
                  .claim = "two workers, one poster from inside: who finds work wakes the next",
                  .body = [] { work_is_found(2, 1, 1, door::inside); },
                  .how = {.how = strategy::bounded, .preemptions = 1},
                  .spurious = false,
                  .code_mutants = {"sleep_board: who finds work wakes nobody"}}},
    registration{{.name = "sched_sleep_many",
                  .row = "B5",
                  .claim = "three workers, two posters, sampled",
                  .body = [] { work_is_found(3, 1, 2, door::outside); },
                  .how = {.how = strategy::random, .runs = 60'000}}},
    registration{{.name = "sched_sleep_many_inside",
                  .row = "B5",
                  .claim = "three workers, two posters from inside, sampled",
                  .body = [] { work_is_found(3, 1, 2, door::inside); },
                  .how = {.how = strategy::random, .runs = 60'000}}},
    registration{{.name = "sched_sleep_counts",
                  .row = "B9",
                  .claim = "never more asleep than there are, never fewer than none",
                  .body = counts_are_right,
                  .how = {.how = strategy::bounded, .preemptions = 2},
                  .spurious = false,
                  .code_mutants = {"sleep_board: up before it is out of the count"}}},
    registration{{.name = "sched_sleep_ticket",
                  .row = "X1",
                  .claim = "posted after the announcement, and nobody who announced sleeps",
                  .body = a_post_voids_the_tickets,
                  .code_mutants = {"sleep_board: announcing makes the counter odd"}}},
    registration{
        {.name = "sched_sleep_latch",
         .row = "B6",
         .claim = "a latch set before, at or after the announcement is seen",
         .body = a_latch_is_seen,
         .code_mutants = {"sleep_board: no fence before the last look", "sleep_board: no fence before posting"}}},
    registration{{.name = "sched_sleep_enough",
                  .row = "B8",
                  .claim = "as many are woken as there is work for, less those who look",
                  .body = exactly_enough,
                  .how = {.how = strategy::bounded, .preemptions = 2},
                  .spurious = false}},
    registration{{.name = "sched_sleep_timed",
                  .row = "B9",
                  .claim = "who gets up by itself is taken out of the count once",
                  .body = [] { timed_sleep(1); },
                  .code_mutants = {"sleep_board: both take it out of the count"}}},
    registration{{.name = "sched_sleep_stop",
                  .row = "B5",
                  .claim = "at the end nobody is left asleep",
                  .body = [] { all_are_stopped(2); },
                  .how = {.how = strategy::bounded, .preemptions = 1},
                  .spurious = false}},
};

}  // namespace
}  // namespace hop::model
