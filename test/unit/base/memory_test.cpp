#include <hop/base/memory.hpp>

#include <cstring>
#include <vector>

#include "crew.hpp"
#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using namespace hop::base::test;

bool granted() {
  void* p = try_allocate(64);
  deallocate(p);
  return p != nullptr;
}

HOP_TEST(base, a_block_is_aligned_as_asked_and_usable_to_its_last_byte) {
  for (std::size_t align = 1; align <= 4096; align *= 2) {
    void* p = try_allocate(100, align);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % align, 0u);
    std::memset(p, 0x5a, 100);
    deallocate(p, align);
  }
  void* plain = try_allocate(1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plain) % alignof(std::max_align_t), 0u);
  deallocate(plain);
}

HOP_TEST(base, an_empty_block_is_a_block_and_no_block_may_be_given_back) {
  void* p = try_allocate(0);
  EXPECT_NE(p, nullptr);
  deallocate(p);
  deallocate(nullptr);
}

HOP_TEST(base, more_than_any_process_can_hold_is_refused_not_thrown) {
  EXPECT_EQ(try_allocate(SIZE_MAX), nullptr) << "rounded up to the alignment it would be nothing";
  EXPECT_EQ(try_allocate(SIZE_MAX - 15), nullptr);
  EXPECT_EQ(try_allocate(SIZE_MAX, 4096), nullptr);
  EXPECT_EQ(try_allocate(SIZE_MAX / 2 + 1), nullptr);
}

HOP_TEST(base, the_allocations_a_test_refuses_are_refused_and_no_others) {
  for (const std::uint64_t after : {0u, 1u, 3u}) {
    for (const std::uint64_t count : {1u, 2u}) {
      refuse_allocations(after, count);
      std::vector<bool> got;
      for (int i = 0; i < 7; ++i) got.push_back(granted());
      for (std::uint64_t i = 0; i < 7; ++i) EXPECT_EQ(got[i], i < after || i >= after + count) << after << " " << i;
    }
  }
  refuse_allocations(0, 0);
  EXPECT_TRUE(granted());
}

HOP_TEST(base, refusing_can_be_ended_early) {
  refuse_allocations(0, 1000);
  EXPECT_FALSE(granted());
  refuse_allocations(0, 0);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(granted());
}

HOP_TEST(base, threads_share_one_count_of_refusals) {
  const std::uint64_t each = 1'000;
  atomic<std::uint64_t> refused{0};
  crew c;
  meeting m(4);
  for (int t = 0; t < 4; ++t) {
    c.add([&, t] {
      m.arrive();  // every thread has started, so none of these refusals hits a start
      if (t == 0) refuse_allocations(500, 700);
      m.arrive();
      for (std::uint64_t i = 0; i < each; ++i)
        if (!granted()) refused.fetch_add(1);
    });
  }
  c.join();
  refuse_allocations(0, 0);
  EXPECT_EQ(refused.load(), 700u);
}

}  // namespace
