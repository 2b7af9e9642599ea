#include "statictrace/loop_schedule.h"

#include <gtest/gtest.h>

namespace forewarp::statictrace {
namespace {

// 100 iterations, about 6 kept: three pieces of two. The first and the last stand for themselves, the other
// four for 98.
TEST(LoopSchedule, PiecesFromTheFirstToTheLast) {
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

// 128 iterations of which the last 31 have fewer lanes each time: 24 %. Of 48 visits 12 lie there, 25 %.
TEST(LoopSchedule, PartsHaveTheShareThatTheyHaveInTheLoop) {
  const LoopSchedule schedule = LoopSchedule::cut(128, 48, 1);
  ASSERT_EQ(schedule.visits(), 48U);
  int there = 0;
  double weight = 0;
  for (std::uint64_t visit = 0; visit < 48; ++visit) {
    there += schedule.iteration(visit) >= 97;
    weight += schedule.weight(visit);
  }
  EXPECT_EQ(there, 12);
  EXPECT_DOUBLE_EQ(weight, 128);
  EXPECT_EQ(schedule.iteration(47), 127U);
}

TEST(LoopSchedule, ShortLoopsAreWhole) {
  const LoopSchedule schedule = LoopSchedule::cut(6, 6, 1);
  EXPECT_TRUE(schedule.is_whole());
  EXPECT_EQ(schedule.visits(), 6U);
  EXPECT_DOUBLE_EQ(schedule.weight(3), 1);
}

} // namespace
} // namespace forewarp::statictrace
