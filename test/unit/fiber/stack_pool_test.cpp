#include <hop/fiber/stack_pool.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <hop/base/memory.hpp>
#include <hop/fiber/stack_cache.hpp>
#include <hop/fiber/stack_registry.hpp>

#include "fake_vm.hpp"
#include "process_memory.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::fiber;
using namespace hop::fiber::test;
using hop::errc;

constexpr bool plain_build = !HOP_ASAN && !HOP_TSAN;

// Fills `all` as far as the pool will.
void fill(stack_pool& pool, std::vector<stack>& all, stack_class cls = stack_class::small) {
  const std::size_t n = all.size();
  std::size_t have = 0;
  while (have < n) {
    auto got = pool.acquire(cls, std::span(all).subspan(have, std::min<std::size_t>(64, n - have)));
    if (!got) break;
    have += *got;
  }
  all.resize(have);
}

std::vector<stack> take(stack_pool& pool, std::size_t n, stack_class cls = stack_class::small) {
  std::vector<stack> all(n);
  fill(pool, all, cls);
  return all;
}

void touch_top(const stack& s) { *(s.high() - 64) = std::byte{1}; }

HOP_TEST(C2, two_hundred_thousand_guarded_stacks_lie_in_one_mapping) {
  const std::size_t n = hop::test::scaled(200'000, 2'000);
  stack_pool pool;
  auto all = take(pool, n);
  ASSERT_EQ(all.size(), n);
  EXPECT_EQ(pool.statistics().guards_split_mappings, false) << "this kernel has no MADV_GUARD_INSTALL";
  EXPECT_EQ(mappings_in(all.front().low, all.back().high()), 1u);
  for (std::size_t i = 0; i < n; i += 97) {
    ASSERT_FALSE(readable(all[i].low));
    ASSERT_FALSE(readable(all[i].usable_low() - 1));
    ASSERT_TRUE(readable(all[i].usable_low()));
    ASSERT_TRUE(readable(all[i].high() - 1));
  }
  EXPECT_EQ(pool.statistics().of(stack_class::small).handed_out, n);
  pool.release(all);
  EXPECT_EQ(pool.statistics().of(stack_class::small).handed_out, 0u);
}

HOP_TEST(X9, every_stack_of_both_classes_has_a_guard_before_its_first_use) {
  stack_pool pool;
  for (const stack_class cls : {stack_class::small, stack_class::large}) {
    auto all = take(pool, 100, cls);
    ASSERT_EQ(all.size(), 100u);
    for (const stack& s : all) {
      EXPECT_FALSE(readable(s.low));
      EXPECT_FALSE(readable(s.usable_low() - 1));
      EXPECT_TRUE(readable(s.usable_low()));
    }
    pool.release(all);
  }
}

HOP_TEST(C2, an_old_kernel_gets_mprotect_guards_up_to_a_stated_number) {
  fake_vm vm;
  vm.guard_refusal = EINVAL;
  vm.maps = 1024 + 2 * 200;  // 1024 are kept for others, a guard costs two
  stack_pool pool({.small_count = 4096}, vm);
  auto all = take(pool, 1'000);
  EXPECT_EQ(all.size(), 200u);
  EXPECT_EQ(vm.protects, 200u);
  for (const stack& s : all) ASSERT_FALSE(readable(s.low));
  stack one;
  auto refused = pool.acquire(stack_class::small, std::span(&one, 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.code(), errc::no_stack);
  EXPECT_NE(std::string(refused.error().what).find("vm.max_map_count (1424) allows 200 guarded stacks"),
            std::string::npos)
      << refused.error().what;
  // One that comes back is given again, guard and all.
  pool.release(std::span(&all[150], 1));
  auto again = pool.acquire(stack_class::small, std::span(&one, 1));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(one.index, all[150].index);
  EXPECT_EQ(vm.protects, 200u);
  pool.release(all);
  // Trimmed slabs lose their guards and make room for others.
  EXPECT_GT(pool.trim(), 0u);
  EXPECT_EQ(take(pool, 1'000).size(), 200u);
  std::vector<stack> left = all;
  pool.release(left);
}

HOP_TEST(C2, the_mapping_count_running_out_early_is_an_error_and_never_an_unguarded_stack) {
  fake_vm vm;
  vm.guard_refusal = EINVAL;
  vm.protects_before_refusal = 37;
  stack_pool pool({.small_count = 4096}, vm);
  auto all = take(pool, 100);
  EXPECT_EQ(all.size(), 37u);
  for (const stack& s : all) EXPECT_FALSE(readable(s.low));
  stack one;
  auto refused = pool.acquire(stack_class::small, std::span(&one, 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().system, ENOMEM);
  EXPECT_NE(std::string(refused.error().what).find("mprotect"), std::string::npos);
  EXPECT_EQ(pool.statistics().of(stack_class::small).guarded, 37u);
  pool.release(all);
}

HOP_TEST(C2, a_guard_refused_for_want_of_memory_is_an_error) {
  fake_vm vm;
  vm.guard_refusal = ENOMEM;
  vm.guards_before_refusal = 11;  // the first is the question whether the kernel knows them
  stack_pool pool({.small_count = 4096}, vm);
  auto all = take(pool, 100);
  EXPECT_EQ(all.size(), 10u);
  stack one;
  auto refused = pool.acquire(stack_class::small, std::span(&one, 1));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.code(), errc::no_memory);
  EXPECT_EQ(refused.error().system, ENOMEM);
  EXPECT_NE(std::string(refused.error().what).find("MADV_GUARD_INSTALL"), std::string::npos);
  vm.guard_refusal = 0;  // memory is there again
  EXPECT_TRUE(pool.acquire(stack_class::small, std::span(&one, 1)).has_value());
  EXPECT_FALSE(readable(one.low));
  pool.release(std::span(&one, 1));
  pool.release(all);
}

HOP_TEST(C2, refused_address_space_is_halved_down_to_one_slab) {
  fake_vm vm;
  vm.largest_reservation = 100 * 64 * default_stack_bytes;  // a hundred slabs
  stack_pool pool({.small_count = 64 * 1024}, vm);
  auto all = take(pool, 64 * 1024);
  EXPECT_EQ(all.size(), 64u * 64u);
  EXPECT_EQ(vm.reserves, 5u);  // 1024, 512, 256, 128, 64 slabs
  stack one;
  auto refused = pool.acquire(stack_class::small, std::span(&one, 1));
  EXPECT_EQ(refused.code(), errc::no_stack);
  EXPECT_NE(std::string(refused.error().what).find("in use"), std::string::npos);
  pool.release(all);

  fake_vm none;
  none.largest_reservation = default_stack_bytes;
  stack_pool poor({}, none);
  refused = poor.acquire(stack_class::small, std::span(&one, 1));
  EXPECT_EQ(refused.code(), errc::no_stack);
  EXPECT_EQ(refused.error().system, ENOMEM);
  EXPECT_NE(std::string(refused.error().what).find("ulimit -v"), std::string::npos);
  none.largest_reservation = fake_vm::never;  // and it recovers
  EXPECT_TRUE(poor.acquire(stack_class::small, std::span(&one, 1)).has_value());
  poor.release(std::span(&one, 1));
}

HOP_TEST(C2, refused_book_keeping_memory_is_an_error_and_leaks_nothing) {
  stack one;
  for (std::uint64_t after = 0; after < 2; ++after) {
    stack_pool pool({.small_count = 1024});
    hop::base::refuse_allocations(after, 1);
    auto refused = pool.acquire(stack_class::small, std::span(&one, 1));
    hop::base::refuse_allocations(0, 0);
    EXPECT_EQ(refused.code(), errc::no_memory) << after;
    ASSERT_TRUE(pool.acquire(stack_class::small, std::span(&one, 1)).has_value());
    pool.release(std::span(&one, 1));
  }
}

HOP_TEST(C2, an_address_leads_to_its_stack_by_arithmetic) {
  stack_pool pool;
  for (const stack_class cls : {stack_class::small, stack_class::large}) {
    auto all = take(pool, 20, cls);
    for (const stack& s : all) {
      for (const std::byte* at : {s.low, s.usable_low() - 1, s.usable_low(), s.high() - 1}) {
        const auto found = find_stack(at);
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->where.low, s.low);
        EXPECT_EQ(found->where.index, s.index);
        EXPECT_EQ(found->where.cls, cls);
        EXPECT_EQ(found->in_guard, at < s.usable_low());
      }
    }
    pool.release(all);
  }
  int local = 0;
  EXPECT_FALSE(find_stack(&local).has_value());
  EXPECT_FALSE(find_stack(nullptr).has_value());
}

HOP_TEST(C1, stacks_come_lowest_first_and_a_cache_gives_the_newest) {
  stack_pool pool;
  stack_cache cache(pool);
  std::vector<stack> got;
  for (int i = 0; i < 200; ++i) got.push_back(*cache.acquire(stack_class::small));
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].index, i);
  cache.release(got[7]);
  cache.release(got[3]);
  EXPECT_EQ(cache.acquire(stack_class::small)->index, 3u);
  EXPECT_EQ(cache.acquire(stack_class::small)->index, 7u);
  for (const stack& s : got) cache.release(s);
  EXPECT_LE(cache.size(stack_class::small), stack_cache::small_limit);
  EXPECT_EQ(cache.acquire(stack_class::small)->index, 199u);
  cache.release(got[199]);
  // What was spilled is given out lowest first again.
  stack_cache other(pool);
  EXPECT_EQ(other.acquire(stack_class::small)->index, 0u);
  other.release(got[0]);
}

HOP_TEST(C1, a_stack_given_back_twice_stops_the_process) {
  stack_pool pool;
  stack one;
  ASSERT_TRUE(pool.acquire(stack_class::small, std::span(&one, 1)).has_value());
  pool.release(std::span(&one, 1));
  EXPECT_DEATH(pool.release(std::span(&one, 1)), "came back twice");
}

HOP_TEST(C1, random_takes_and_returns_never_hand_one_stack_to_two) {
  std::mt19937_64 rng(hop::test::seed());
  stack_pool pool({.small_count = 1024, .large_count = 64});
  stack_cache a(pool), b(pool);
  std::vector<stack> held;
  std::set<std::byte*> out;
  for (int step = 0; step < 20'000; ++step) {
    stack_cache& c = rng() % 2 == 0 ? a : b;
    if (rng() % 100 < (held.size() < 300 ? 55u : 40u)) {
      auto got = c.acquire(rng() % 10 == 0 ? stack_class::large : stack_class::small);
      if (!got) continue;  // large ones run out
      ASSERT_TRUE(out.insert(got->low).second);
      touch_top(*got);
      held.push_back(*got);
    } else if (!held.empty()) {
      std::swap(held[rng() % held.size()], held.back());
      out.erase(held.back().low);
      c.release(held.back());
      held.pop_back();
    }
    if (step % 1'000 == 999) pool.trim();
    if (step % 100 == 0 && !held.empty()) {
      ASSERT_FALSE(readable(held[rng() % held.size()].low));
    }
  }
  for (const stack& s : held) {
    EXPECT_EQ(*(s.high() - 64), std::byte{1}) << "trimmed while in use";
    a.release(s);
  }
}

HOP_TEST(C1, a_trim_gives_pages_and_page_tables_back_and_keeps_one_mapping) {
  const std::size_t n = hop::test::scaled(50'000, 500);
  stack_pool pool;
  auto warm = take(pool, 64);
  pool.release(warm);
  std::vector<stack> back(n), again(n);  // touched, so that the lists themselves are in the first reading
  std::vector<stack> all(n);
  const std::size_t before = memory_used();
  fill(pool, all);
  ASSERT_EQ(all.size(), n);
  for (const stack& s : all) touch_top(s);
  const std::size_t peak = memory_used();
  std::vector<stack> kept(all.begin(), all.begin() + 3);  // slab 0 stays partly in use
  kept.push_back(all[n / 2]);
  const std::set<std::uint32_t> kept_indices{all[0].index, all[1].index, all[2].index, all[n / 2].index};
  back.clear();
  std::copy_if(all.begin(), all.end(), std::back_inserter(back),
               [&](const stack& s) { return kept_indices.count(s.index) == 0; });
  pool.release(back);
  EXPECT_GE(pool.trim(), back.size());
  const std::size_t after = memory_used();
  for (const stack& s : kept) EXPECT_EQ(*(s.high() - 64), std::byte{1});
  EXPECT_EQ(mappings_in(all.front().low, all.back().high()), 1u);
  if (plain_build) {
    EXPECT_GT(peak, before + n * 4096);
    EXPECT_LT(after, before + before / 10) << "before " << before << ", at the peak " << peak;
  }
  // Given again, they have their guards again.
  again.resize(n - kept.size());
  fill(pool, again);
  ASSERT_EQ(again.size(), n - kept.size());
  for (std::size_t i = 0; i < again.size(); i += 31) ASSERT_FALSE(readable(again[i].low));
  pool.release(again);
  pool.release(kept);
}

HOP_TEST(C1, a_trim_that_the_kernel_refuses_still_frees_the_pages) {
  fake_vm vm;
  vm.refuse_renew = true;
  stack_pool pool({.small_count = 1024}, vm);
  auto all = take(pool, 256);
  for (const stack& s : all) touch_top(s);
  pool.release(all);
  EXPECT_EQ(pool.trim(), 256u);
  EXPECT_GT(vm.discards, 0u);
  all = take(pool, 256);
  for (const stack& s : all) {
    EXPECT_FALSE(readable(s.low));
    EXPECT_EQ(*(s.high() - 64), std::byte{0});
  }
  pool.release(all);
}

HOP_TEST(C1, trims_and_takes_from_three_threads_keep_every_stack_apart) {
  stack_pool pool({.small_count = 2048, .large_count = 64});
  std::atomic<bool> stop{false};
  std::thread trimmer([&] {
    while (!stop.load()) pool.trim();
  });
  auto user = [&](std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    stack_cache cache(pool);
    std::vector<stack> held;
    for (std::size_t i = 0; i < hop::test::scaled(30'000, 3'000); ++i) {
      if (held.size() < 200 && rng() % 2 == 0) {
        held.push_back(*cache.acquire(stack_class::small));
        *reinterpret_cast<std::uint64_t*>(held.back().high() - 64) = seed;
      } else if (!held.empty()) {
        ASSERT_EQ(*reinterpret_cast<std::uint64_t*>(held.back().high() - 64), seed);
        cache.release(held.back());
        held.pop_back();
      }
      if (i % 500 == 0) cache.flush();
    }
    for (const stack& s : held) cache.release(s);
  };
  std::thread a(user, 1), b(user, 2);
  a.join();
  b.join();
  stop.store(true);
  trimmer.join();
}

}  // namespace
