// The dissertation's own example (section 1.1): regions of 60 % and 40 % with speed-ups of 2 and 100.
#include "learn/region_order.h"

#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

const std::vector<OrderedRegion> example = {{0.6, 2}, {0.4, 100}};

TEST(RegionOrder, TheSmallerRegionComesFirst) {
  // Taken from the program's time: 0.6 * (1 - 1/2) = 0.3; 0.4 * (1 - 1/100) = 0.396.
  EXPECT_EQ(porting_order(example), (std::vector<std::size_t>{1, 0}));
}

TEST(RegionOrder, WhatEachReaches) {
  // Both: 1 / (0.3 + 0.004) = 3.28947. The second alone: 1 / (0.6 + 0.004) = 1.65563, 50.33 % of it. The
  // first alone: 1 / (0.3 + 0.4) = 1.42857, 43.43 % (the dissertation writes 50 % and 42 %).
  EXPECT_NEAR(program_speedup(example, {0, 1}), 3.28947, 1e-5);
  EXPECT_NEAR(share_of_reach(example, {1}), 0.5033, 5e-5);
  EXPECT_NEAR(share_of_reach(example, {0}), 0.4343, 5e-5);
}

TEST(RegionOrder, TheCaseStudyOfSection63) {
  // 70 % and 14 % of the time, each with the interval's middle 3.5: 1 / (0.7 / 3.5 + 0.14 / 3.5 + 0.16)
  // = 2.5. With what was measured at best, 4 and 135: 1 / (0.175 + 0.001037 + 0.16) = 2.9759.
  EXPECT_NEAR(program_speedup({{0.70, 3.5}, {0.14, 3.5}}, {0, 1}), 2.5, 1e-12);
  EXPECT_NEAR(program_speedup({{0.70, 4}, {0.14, 135}}, {0, 1}), 2.9759, 1e-4);
}

TEST(RegionOrder, ASlowdownComesLast) {
  EXPECT_EQ(porting_order({{0.5, 0.5}, {0.1, 3}, {0.4, 1}}), (std::vector<std::size_t>{1, 2, 0}));
}

} // namespace
} // namespace forewarp::learn
