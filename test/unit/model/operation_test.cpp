// dependent(): what sleep sets may swap. The whole table, and that it takes no side.
#include "support/hop_test.hpp"

#include "model/operation.hpp"

namespace hop::model {
namespace {

using std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed, std::memory_order_release,
    std::memory_order_seq_cst;

operation op(op_kind k, location_id x = 0, std::memory_order o = memory_order_relaxed, bool timed = false) {
  return {k, o, x, {}, timed};
}

constexpr op_kind all_kinds[] = {op_kind::start,      op_kind::load,        op_kind::store,      op_kind::rmw,
                                 op_kind::fence,      op_kind::spin,        op_kind::lock,       op_kind::unlock,
                                 op_kind::futex_wait, op_kind::futex_woken, op_kind::futex_wake, op_kind::join};
constexpr op_kind changes[] = {op_kind::store,      op_kind::rmw,         op_kind::lock,      op_kind::unlock,
                               op_kind::futex_wait, op_kind::futex_woken, op_kind::futex_wake};

HOP_TEST(model, a_change_depends_on_everything_at_its_location) {
  for (op_kind a : changes) {
    for (op_kind b : changes) EXPECT_TRUE(dependent(op(a, 1), op(b, 1))) << to_string(a) << " " << to_string(b);
    EXPECT_TRUE(dependent(op(a, 1), op(op_kind::load, 1))) << to_string(a);
  }
  EXPECT_FALSE(dependent(op(op_kind::load, 1), op(op_kind::load, 1)));
  EXPECT_FALSE(dependent(op(op_kind::load, 1, memory_order_acquire), op(op_kind::load, 1, memory_order_seq_cst)));
}

HOP_TEST(model, two_locations_are_independent_whatever_the_order) {
  for (op_kind a : changes) {
    for (op_kind b : changes) EXPECT_FALSE(dependent(op(a, 1, memory_order_seq_cst), op(b, 2, memory_order_seq_cst)));
    EXPECT_FALSE(dependent(op(a, 1, memory_order_acq_rel), op(op_kind::load, 2, memory_order_acquire)));
  }
}

// The later of two seq_cst loads may not read less than the earlier one: they do not commute where one could be stale.
HOP_TEST(model, two_seq_cst_loads_of_one_location_depend_on_each_other) {
  EXPECT_TRUE(dependent(op(op_kind::load, 1, memory_order_seq_cst), op(op_kind::load, 1, memory_order_seq_cst)));
  EXPECT_FALSE(dependent(op(op_kind::load, 1, memory_order_seq_cst), op(op_kind::load, 2, memory_order_seq_cst)));
}

HOP_TEST(model, a_seq_cst_fence_depends_on_everything_seq_cst_and_on_nothing_else) {
  const operation fence = op(op_kind::fence, 0, memory_order_seq_cst);
  EXPECT_TRUE(dependent(fence, fence));
  for (op_kind k : {op_kind::load, op_kind::store, op_kind::rmw}) {
    EXPECT_TRUE(dependent(fence, op(k, 1, memory_order_seq_cst)));
    EXPECT_FALSE(dependent(fence, op(k, 1, memory_order_acq_rel)));
  }
  for (std::memory_order o : {memory_order_acquire, memory_order_release, memory_order_acq_rel}) {
    EXPECT_FALSE(dependent(op(op_kind::fence, 0, o), fence));
    EXPECT_FALSE(dependent(op(op_kind::fence, 0, o), op(op_kind::store, 1, memory_order_seq_cst)));
  }
}

HOP_TEST(model, a_spin_depends_on_every_change_anywhere) {
  for (op_kind k : changes) EXPECT_TRUE(dependent(op(op_kind::spin), op(k, 7))) << to_string(k);
  for (op_kind k : {op_kind::spin, op_kind::load, op_kind::fence, op_kind::start, op_kind::join})
    EXPECT_FALSE(dependent(op(op_kind::spin), op(k, 7, memory_order_seq_cst))) << to_string(k);
}

HOP_TEST(model, a_timed_wait_depends_on_everything_because_time_is_everybodys) {
  for (op_kind k : all_kinds)
    EXPECT_TRUE(dependent(op(op_kind::futex_woken, 1, memory_order_relaxed, true), op(k, 2))) << to_string(k);
}

HOP_TEST(model, start_and_join_depend_on_nothing) {
  for (op_kind k : all_kinds) {
    EXPECT_FALSE(dependent(op(op_kind::start), op(k, 0, memory_order_seq_cst)));
    EXPECT_FALSE(dependent(op(op_kind::join, 1), op(k, 1, memory_order_seq_cst)));
  }
}

HOP_TEST(model, dependence_takes_no_side) {
  for (op_kind a : all_kinds) {
    for (op_kind b : all_kinds) {
      for (std::memory_order o : {memory_order_relaxed, memory_order_acq_rel, memory_order_seq_cst}) {
        for (std::memory_order p : {memory_order_relaxed, memory_order_acq_rel, memory_order_seq_cst}) {
          for (location_id y : {1u, 2u})
            EXPECT_EQ(dependent(op(a, 1, o), op(b, y, p)), dependent(op(b, y, p), op(a, 1, o)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace hop::model
