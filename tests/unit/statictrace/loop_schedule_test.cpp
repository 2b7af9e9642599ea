#include "statictrace/loop_schedule.h"

#include <gtest/gtest.h>

namespace forewarp::statictrace {
namespace {

// 100 iterations, about 6 kept: the first, two pieces of two in the middles of the 98 iterations' halves, the
// last. The first and the last stand for themselves, the other four for 98.
TEST(LoopSchedule, PiecesBetweenTheFirstAndTheLast) {
  const LoopSchedule schedule = LoopSchedule::cut(100, 6, 1);
  ASSERT_EQ(schedule.visits(), 6U);
  const std::uint64_t wanted[] = {0, 25, 26, 74, 75, 99};
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

// 128 iterations of which the last 31 have fewer lanes each time: 24 %. Of 42 visits 11 lie there, 26 %.
TEST(LoopSchedule, PartsHaveTheShareThatTheyHaveInTheLoop) {
  const LoopSchedule schedule = LoopSchedule::cut(128, 48, 1);
  ASSERT_EQ(schedule.visits(), 42U);
  int there = 0;
  double weight = 0;
  for (std::uint64_t visit = 0; visit < 42; ++visit) {
    there += schedule.iteration(visit) >= 97;
    weight += schedule.weight(visit);
  }
  EXPECT_EQ(there, 11);
  EXPECT_DOUBLE_EQ(weight, 128);
  EXPECT_EQ(schedule.iteration(41), 127U);
}

// The last 31 of 639 iterations have fewer lanes, 5 %: of 98 visits the last one alone lies there. (Pieces
// from the first to the last iteration had 12 of 96 there.)
TEST(LoopSchedule, EndsHaveNoLargerShareThanInTheLoop) {
  const LoopSchedule schedule = LoopSchedule::cut(639, 102, 1);
  ASSERT_EQ(schedule.visits(), 98U);
  int there = 0;
  for (std::uint64_t visit = 0; visit < 98; ++visit)
    there += schedule.iteration(visit) >= 608;
  EXPECT_EQ(there, 1);
  for (std::uint64_t visit = 1; visit < 98; ++visit)
    EXPECT_GT(schedule.iteration(visit), schedule.iteration(visit - 1));
}

TEST(LoopSchedule, ShortLoopsAreWhole) {
  const LoopSchedule schedule = LoopSchedule::cut(6, 6, 1);
  EXPECT_TRUE(schedule.is_whole());
  EXPECT_EQ(schedule.visits(), 6U);
  EXPECT_DOUBLE_EQ(schedule.weight(3), 1);
}

} // namespace
} // namespace forewarp::statictrace
