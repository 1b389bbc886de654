#include <hop/fiber/fiber.hpp>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "fiber_fixture.hpp"
#include "process_memory.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::fiber;
using namespace hop::fiber::test;

HOP_TEST(C4, a_fiber_runs_to_its_end_and_comes_home) {
  ground g;
  int steps = 0;
  g.run([&] { ++steps; });
  EXPECT_EQ(steps, 1);
}

HOP_TEST(C4, payloads_travel_with_resume) {
  ground g;
  fiber* self = nullptr;
  std::vector<std::uintptr_t> got;
  fiber& f = g.make([&] {
    for (std::uintptr_t i = 0; i < 3; ++i)
      got.push_back(reinterpret_cast<std::uintptr_t>(resume(*self, g.here, reinterpret_cast<void*>(i + 100))));
  });
  self = &f;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(g.go(f)), 100u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(g.go(f, reinterpret_cast<void*>(1))), 101u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(g.go(f, reinterpret_cast<void*>(2))), 102u);
  EXPECT_EQ(g.go(f, reinterpret_cast<void*>(3)), nullptr);
  EXPECT_EQ(got, (std::vector<std::uintptr_t>{1, 2, 3}));
  EXPECT_EQ(f.word().state(), fiber_state::done);
  g.end(f);
}

handover answer(fiber& self, void* payload) {
  auto* g = static_cast<ground*>(self.arg());
  payload = resume(self, g->here, static_cast<char*>(payload) + 1);
  return {&g->here, static_cast<char*>(payload) + 1};
}

HOP_TEST(C4, a_raw_main_gets_the_first_payload_and_hands_over_the_last) {
  ground g;
  auto made = fiber::create(g.cache, {.name = "raw"}, answer, &g);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(g.go(**made, reinterpret_cast<void*>(10)), reinterpret_cast<void*>(11));
  EXPECT_EQ(g.go(**made, reinterpret_cast<void*>(20)), reinterpret_cast<void*>(21));
  EXPECT_EQ((*made)->word().state(), fiber_state::done);
  fiber::destroy(g.cache, *made);
}

HOP_TEST(C4, a_chain_of_fibers_switches_straight_from_one_to_the_next) {
  ground g;
  constexpr std::size_t n = 300;
  std::vector<fiber*> ring(n);
  std::vector<int> order;
  for (std::size_t i = 0; i < n; ++i) {
    ring[i] = &g.make([&, i] {
      for (int round = 0; round < 3; ++round) {
        order.push_back(static_cast<int>(i));
        resume(*ring[i], i + 1 < n ? *ring[i + 1] : g.here);
      }
    });
    ring[i]->word().enqueue_new();
    ASSERT_TRUE(ring[i]->word().begin_run());
  }
  for (int round = 0; round < 3; ++round) resume(g.here, *ring[0]);
  ASSERT_EQ(order.size(), 3 * n);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], static_cast<int>(i % n));
  for (fiber* f : ring) {
    resume(g.here, *f);  // each runs out of its loop and comes home
    g.end(*f);
  }
}

HOP_TEST(C4, a_closure_dies_when_its_fiber_ends_and_when_it_never_ran) {
  ground g;
  auto token = std::make_shared<int>(0);
  g.run([token] { EXPECT_GE(token.use_count(), 2); });
  EXPECT_EQ(token.use_count(), 1);
  fiber& never = g.make([token] {});
  EXPECT_EQ(token.use_count(), 2);
  g.end(never);
  EXPECT_EQ(token.use_count(), 1);
}

HOP_TEST(C1, the_control_block_lies_at_the_top_of_its_own_aligned_stack) {
  ground g;
  std::set<std::uintptr_t> offsets;
  std::vector<fiber*> all;
  for (int i = 0; i < 64; ++i) {
    fiber& f = g.make([] {}, stack_class::small, "a name that is longer than the block has room for");
    const stack s = f.where();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&f) % 64, 0u);
    EXPECT_GE(reinterpret_cast<std::byte*>(&f), s.high() - 2048);
    EXPECT_LE(reinterpret_cast<std::byte*>(&f + 1), s.high());
    EXPECT_EQ(fiber::on(s), &f);
    EXPECT_EQ(f.name(), "a name that is longer ");
    offsets.insert(reinterpret_cast<std::uintptr_t>(&f) % page_bytes);
    all.push_back(&f);
  }
  EXPECT_EQ(offsets.size(), 8u) << "neighbours do not share the same sets of the cache";
  std::set<std::uint64_t> ids;
  for (fiber* f : all) {
    EXPECT_TRUE(ids.insert(f->id()).second);
    const stack s = f->where();
    g.end(*f);
    EXPECT_EQ(fiber::on(s), nullptr);
  }
}

HOP_TEST(C1, extra_room_lies_beside_the_control_block) {
  ground g;
  auto made = fiber::create(g.cache, {.extra_bytes = 100}, answer, &g);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)->extra_bytes(), 112u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*made)->extra()) % 16, 0u);
  std::memset((*made)->extra(), 0x5a, 112);
  g.go(**made);
  g.go(**made);
  for (int i = 0; i < 112; ++i) ASSERT_EQ(static_cast<unsigned char*>((*made)->extra())[i], 0x5a);
  fiber::destroy(g.cache, *made);
}

handover park_once(fiber& self, void*) {
  auto* g = static_cast<ground*>(self.arg());
  if (!self.word().begin_park()) return {&g->here, nullptr};
  resume(self, g->here, &self);
  return {&g->here, nullptr};
}

HOP_TEST(C1, two_hundred_thousand_parked_fibers_cost_less_than_4900_bytes_each) {
  const std::size_t n = hop::test::scaled(200'000, 800);
  ground g;
  std::vector<fiber*> all(n);
  g.run([] {});
  const std::size_t before = memory_used();
  for (fiber*& f : all) {
    auto made = fiber::create(g.cache, {.name = "parked"}, park_once, &g);
    ASSERT_TRUE(made.has_value()) << made.error().what;
    f = *made;
    g.go(*f);
    ASSERT_TRUE(f->word().commit_park());
  }
  const std::size_t each = (memory_used() - before) / n;
  std::size_t parked = 0;
  for (fiber* f : all) parked += f->word().state() == fiber_state::parked ? 1u : 0u;
  EXPECT_EQ(parked, n);
  std::printf("%zu parked fibers, %zu bytes each (RSS + page tables)\n", n, each);
  if (!HOP_ASAN && !HOP_TSAN && n == 200'000) {
    EXPECT_LE(each, 4900u);
    EXPECT_GE(each, 4096u) << "less than a page cannot be";
  }
  for (fiber* f : all) {
    ASSERT_TRUE(f->word().unpark());
    ASSERT_TRUE(f->word().begin_run());
    resume(g.here, *f);
    g.end(*f);
  }
}

HOP_TEST(C1, a_fiber_that_may_still_run_cannot_be_destroyed) {
  ground g;
  fiber& f = g.make([] {});
  f.word().enqueue_new();
  EXPECT_DEATH(g.end(f), "may still run");
  ASSERT_TRUE(f.word().begin_run());
  resume(g.here, f);
  g.end(f);
}

HOP_TEST(C1, a_refused_stack_is_an_error_of_create) {
  stack_pool tiny({.small_count = 64, .large_count = 8});
  stack_cache cache(tiny);
  std::vector<fiber*> all;
  for (;;) {
    auto made = fiber::create(cache, {}, answer);
    if (!made) {
      EXPECT_EQ(made.code(), hop::errc::no_stack);
      break;
    }
    all.push_back(*made);
  }
  EXPECT_EQ(all.size(), 64u);
  for (fiber* f : all) fiber::destroy(cache, f);
}

HOP_TEST(E39, an_exception_unwinds_the_frames_of_a_fiber) {
  ground g;
  int destroyed = 0;
  std::string caught;
  g.run([&] {
    struct counter {
      int& n;
      ~counter() { ++n; }
    };
    try {
      counter a{destroyed};
      std::vector<counter*> keep;
      [&] {
        counter b{destroyed};
        throw std::runtime_error("from a fiber");
      }();
    } catch (const std::exception& e) {
      caught = e.what();
    }
  });
  EXPECT_EQ(destroyed, 2);
  EXPECT_EQ(caught, "from a fiber");
}

HOP_TEST(E39, an_exception_that_leaves_a_fiber_ends_the_process) {
  EXPECT_EXIT(
      {
        ground g;
        g.run([] { throw std::runtime_error("nobody catches this"); });
      },
      ::testing::KilledBySignal(SIGABRT), "nobody catches this");
}

HOP_TEST(C5, every_fiber_keeps_its_own_exceptions_when_they_interleave) {
  ground g;
  constexpr std::size_t n = 8;
  std::vector<fiber*> all(n);
  std::vector<int> wrong(n);
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = &g.make([&, i] {
      for (int round = 0; round < 50; ++round) {
        try {
          throw static_cast<int>(i);
        } catch (int mine) {
          resume(*all[i], g.here);  // others throw and catch meanwhile
          if (mine != static_cast<int>(i) || std::uncaught_exceptions() != 0) ++wrong[i];
          try {
            throw;
          } catch (int again) {
            resume(*all[i], g.here);
            if (again != static_cast<int>(i)) ++wrong[i];
          }
        }
        if (std::current_exception() != nullptr) ++wrong[i];
      }
    });
  }
  std::size_t live = n;
  while (live != 0) {
    live = 0;
    for (fiber* f : all) {
      if (f->word().state() == fiber_state::done) continue;
      g.go(*f);
      ++live;
    }
    EXPECT_EQ(std::current_exception(), nullptr);
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(wrong[i], 0);
    g.end(*all[i]);
  }
}

HOP_TEST(C5, uncaught_exceptions_are_counted_by_fiber) {
  ground g;
  fiber* self = nullptr;
  int inside = -1;
  fiber& f = g.make([&] {
    struct waits_while_unwinding {
      fiber*& self;
      fiber& home;
      int& inside;
      ~waits_while_unwinding() {
        resume(*self, home);
        inside = std::uncaught_exceptions();
      }
    };
    try {
      waits_while_unwinding w{self, g.here, inside};
      throw 1;
    } catch (int) {
    }
  });
  self = &f;
  g.go(f);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  try {
    throw 2;
  } catch (int two) {
    g.go(f);
    EXPECT_EQ(two, 2);
  }
  EXPECT_EQ(inside, 1);
  g.end(f);
}

}  // namespace
