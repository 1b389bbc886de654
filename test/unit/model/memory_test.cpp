// The memory by itself: which stores a read may return after what.
#include "support/hop_test.hpp"

#include "model/memory.hpp"

namespace hop::model {
namespace {

using std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release,
    std::memory_order_seq_cst;

struct two_threads {
  memory m;
  view_of_thread a, b;
  location_id x = m.add(0, 0, a), y = m.add(0, 0, a);

  void store(view_of_thread& v, location_id l, std::memory_order o) { m.write(l, 1, &v == &a ? 0 : 1, v, o, nullptr); }
  std::uint32_t rmw(view_of_thread& v, location_id l, std::memory_order o) {
    const std::uint32_t newest = m.newest(l);
    m.read(l, newest, v, o);
    const store_record before = m.at(l).stores[newest];
    m.write(l, 2, &v == &a ? 0 : 1, v, o, &before);
    return newest;
  }
  std::uint32_t oldest(view_of_thread& v, location_id l, std::memory_order o = memory_order_relaxed) const {
    return m.oldest_readable(l, v, o);
  }
};

HOP_TEST(model, a_thread_reads_its_own_store_and_another_may_read_the_old_one) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  EXPECT_EQ(t.oldest(t.a, t.x), 1u);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u);
  EXPECT_EQ(t.m.newest(t.x), 1u);
}

HOP_TEST(model, what_was_read_once_is_not_read_past) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.store(t.a, t.x, memory_order_relaxed);
  t.m.read(t.x, 1, t.b, memory_order_relaxed);
  EXPECT_EQ(t.oldest(t.b, t.x), 1u);
}

HOP_TEST(model, release_and_acquire_carry_what_came_before) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.store(t.a, t.y, memory_order_release);
  t.m.read(t.y, 1, t.b, memory_order_relaxed);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u) << "a relaxed read receives nothing";
  t.m.read(t.y, 1, t.b, memory_order_acquire);
  EXPECT_EQ(t.oldest(t.b, t.x), 1u);
}

HOP_TEST(model, a_relaxed_store_carries_nothing_and_ends_the_release_sequence_of_its_own_thread) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.store(t.a, t.y, memory_order_release);
  t.store(t.a, t.y, memory_order_relaxed);  // until C++17 this one continued the sequence
  t.m.read(t.y, 2, t.b, memory_order_acquire);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u);
}

HOP_TEST(model, a_read_modify_write_continues_the_release_sequence_of_another_thread) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.store(t.a, t.y, memory_order_release);
  view_of_thread c;
  t.rmw(c, t.y, memory_order_relaxed);
  EXPECT_EQ(t.oldest(c, t.x), 0u) << "the one in the middle learns nothing itself";
  t.m.read(t.y, 2, t.b, memory_order_acquire);
  EXPECT_EQ(t.oldest(t.b, t.x), 1u);
}

HOP_TEST(model, a_release_fence_works_through_later_stores_and_an_acquire_fence_through_earlier_reads) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.m.fence(t.a, memory_order_release);
  t.store(t.a, t.x, memory_order_relaxed);  // after the fence: not carried
  t.store(t.a, t.y, memory_order_relaxed);
  t.m.read(t.y, 1, t.b, memory_order_relaxed);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u);
  t.m.fence(t.b, memory_order_acquire);
  EXPECT_EQ(t.oldest(t.b, t.x), 1u);
}

HOP_TEST(model, an_acquire_fence_before_the_read_receives_nothing) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.store(t.a, t.y, memory_order_release);
  t.m.fence(t.b, memory_order_acquire);
  t.m.read(t.y, 1, t.b, memory_order_relaxed);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u);
}

HOP_TEST(model, seq_cst_reads_see_seq_cst_stores_and_relaxed_ones_need_not) {
  two_threads t;
  t.store(t.a, t.x, memory_order_seq_cst);
  EXPECT_EQ(t.oldest(t.b, t.x, memory_order_seq_cst), 1u);
  EXPECT_EQ(t.oldest(t.b, t.x, memory_order_acquire), 0u);
}

HOP_TEST(model, seq_cst_fences_order_relaxed_accesses_of_two_threads) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.m.fence(t.a, memory_order_seq_cst);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u);
  t.m.fence(t.b, memory_order_seq_cst);
  EXPECT_EQ(t.oldest(t.b, t.x), 1u);
}

HOP_TEST(model, a_fence_on_one_side_orders_with_seq_cst_accesses_on_the_other) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.m.fence(t.a, memory_order_seq_cst);
  EXPECT_EQ(t.oldest(t.b, t.x, memory_order_seq_cst), 1u) << "store, fence: a later seq_cst load sees it";
  t.store(t.b, t.y, memory_order_seq_cst);
  t.m.fence(t.a, memory_order_seq_cst);
  EXPECT_EQ(t.oldest(t.a, t.y), 1u) << "a seq_cst store is seen after a later fence";
}

HOP_TEST(model, an_acquire_release_fence_is_no_seq_cst_fence) {
  two_threads t;
  t.store(t.a, t.x, memory_order_relaxed);
  t.m.fence(t.a, memory_order_acq_rel);
  t.m.fence(t.b, memory_order_acq_rel);
  EXPECT_EQ(t.oldest(t.b, t.x), 0u);
}

}  // namespace
}  // namespace hop::model
