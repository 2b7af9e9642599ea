#include "statictrace/loop_schedule.h"

#include <gtest/gtest.h>

namespace forewarp::statictrace {
namespace {

// 100 iterations, about 6 kept: 0 and 1, two in the middle of 2 .. 97, 98 and 99; the two stand for 96.
TEST(LoopSchedule, FirstMiddleLast) {
  const LoopSchedule schedule = LoopSchedule::cut(100, 6, 1);
  ASSERT_EQ(schedule.visits(), 6U);
  const std::uint64_t wanted[] = {0, 1, 49, 50, 98, 99};
  double weight = 0;
  for (std::uint64_t visit = 0; visit < 6; ++visit) {
    EXPECT_EQ(schedule.iteration(visit), wanted[visit]);
    weight += schedule.weight(visit);
  }
  EXPECT_DOUBLE_EQ(weight, 100);
}

// Lanes leave in the last 40 iterations: all of those are visited.
TEST(LoopSchedule, TailHoldsTheIterationsInWhichLanesLeave) {
  const LoopSchedule schedule = LoopSchedule::cut(1000, 6, 40);
  EXPECT_EQ(schedule.visits(), 44U);
  EXPECT_EQ(schedule.iteration(43), 999U);
  EXPECT_EQ(schedule.iteration(4), 960U);
}

TEST(LoopSchedule, ShortLoopsAreWhole) {
  const LoopSchedule schedule = LoopSchedule::cut(6, 6, 1);
  EXPECT_TRUE(schedule.is_whole());
  EXPECT_EQ(schedule.visits(), 6U);
  EXPECT_DOUBLE_EQ(schedule.weight(3), 1);
}

} // namespace
} // namespace forewarp::statictrace
