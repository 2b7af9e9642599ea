// Cut points by hand.
#include "learn/classes/discretise.h"

#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

TEST(EqualFrequency, HalvesAndThirds) {
  EXPECT_EQ(equal_frequency_cuts({6, 1, 5, 2, 4, 3}, 2), (std::vector<double>{3.5}));
  EXPECT_EQ(equal_frequency_cuts({6, 1, 5, 2, 4, 3}, 3), (std::vector<double>{2.5, 4.5}));
}

TEST(EqualFrequency, EqualValuesStayTogether) {
  // Half of 8 is 4: neighbours differ behind 5 values and behind 7; 5 is nearer.
  EXPECT_EQ(equal_frequency_cuts({1, 1, 1, 1, 1, 2, 2, 3}, 2), (std::vector<double>{1.5}));
}

TEST(EqualFrequency, AFeatureThatIsMostlyAbsentIsCutAtZero) {
  EXPECT_EQ(equal_frequency_cuts({0, 0, 0, 0, 0, 0.2, 0.4}, 2), (std::vector<double>{0}));
}

TEST(EqualFrequency, AConstantHasNoCut) {
  EXPECT_TRUE(equal_frequency_cuts({2, 2, 2}, 2).empty());
}

TEST(Level, ASpeedUpOfThreeIsLow) {
  EXPECT_EQ(level_of(3, {3, 10}), 0);
  EXPECT_EQ(level_of(3.001, {3, 10}), 1);
  EXPECT_EQ(level_of(10.5, {3, 10}), 2);
  EXPECT_EQ(interval_text(1, {3, 10}), "above 3 to 10");
}

} // namespace
} // namespace forewarp::learn
