// GPUMech Fig. 8: an interval of 3 instructions and 6 stall cycles, 4 warps. p = 3 / (3 + 6).
#include "predict/published/gpumech_intervals.h"

#include <gtest/gtest.h>

namespace forewarp::models {
namespace {

const Interval interval{3, 6};

TEST(Gpumech, Figure8) {
  const IntervalSums total = sum({interval}, 1);
  EXPECT_DOUBLE_EQ(total.issue_probability, 1.0 / 3);
  EXPECT_DOUBLE_EQ(nonoverlapped_rr(interval, 4, total.issue_probability), 2); // 1/3 * 3 * 2
  EXPECT_DOUBLE_EQ(nonoverlapped_rr(interval, 4, 1), 6);
  EXPECT_DOUBLE_EQ(nonoverlapped_rr_corrected(interval, 4), 6); // 3 * 3 - min(6, 3)
}
// p * stall = 2 -> 1; all 9 instructions of the others are issued in the stall, 3 do not fit.
TEST(Gpumech, GreedyThenOldest) {
  EXPECT_DOUBLE_EQ(nonoverlapped_gto(interval, 4, 1.0 / 3, 3), 3);
  EXPECT_DOUBLE_EQ(nonoverlapped_gto(interval, 3, 1.0 / 3, 3), 0);
  EXPECT_DOUBLE_EQ(nonoverlapped_gto({3, 1}, 4, 0.25, 3), 0.25 * 9 - 1); // issue probability below one
}

} // namespace
} // namespace forewarp::models
