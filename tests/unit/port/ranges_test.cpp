#include "port/helper/ranges.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

TEST(Ranges, JoinWhatTouches) {
  Ranges ranges;
  ranges.add(10, 20);
  ranges.add(30, 40);
  ranges.add(50, 60);
  EXPECT_EQ(ranges.count(), 3U);
  ranges.add(20, 25); // next to the first
  EXPECT_EQ(ranges.count(), 3U);
  ranges.add(25, 50); // over the second, up to the third
  EXPECT_EQ(ranges.count(), 1U);
  EXPECT_TRUE(ranges.overlap(59, 70));
  EXPECT_FALSE(ranges.overlap(60, 70));
}

TEST(Ranges, OverlapIsOfAnyNumber) {
  Ranges ranges;
  EXPECT_FALSE(ranges.overlap(0, 100));
  ranges.add(10, 20);
  ranges.add(12, 14); // inside
  EXPECT_TRUE(ranges.overlap(0, 11));
  EXPECT_TRUE(ranges.overlap(0, 100));
  EXPECT_TRUE(ranges.overlap(13, 14));
  EXPECT_FALSE(ranges.overlap(0, 10));
  EXPECT_FALSE(ranges.overlap(20, 21));
}

} // namespace
} // namespace forewarp::port
