// Numbers that follow from the error model on paper.
#include "explore/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace forewarp::explore {
namespace {

ConfigurationStream stream_of(std::vector<TimedConfiguration> list) {
  return [list = std::move(list)](const std::function<bool(const TimedConfiguration&)>& visit) {
    for (const TimedConfiguration& c : list)
      if (!visit(c))
        return;
  };
}

double normal(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

// 90 % of a normal variable lie within 1.645 standard deviations: an interval of a factor e^(2 * 1.645 * 0.2)
// is one of 0.2, and the errors' own is 1.3 times that.
TEST(Sigma, FollowsFromTheInterval) {
  const double half = 1.6448536 * 0.2;
  EXPECT_NEAR(sigma_of(std::exp(-half), std::exp(half), 0), 0.26, 1e-7);
  // Three quarters of the variance common: half the standard deviation is left.
  EXPECT_NEAR(sigma_of(std::exp(-half), std::exp(half), 0.75), 0.13, 1e-7);
}

// Two of 1 and 1.2 ms, sigma 0.1 each: the difference of logarithms has mean 0.1823 and sigma 0.1414.
TEST(Chance, OfTwo) {
  EXPECT_NEAR(probability_faster({1.2, 0.1}, {1, 0.1}), 1 - normal(std::log(1.2) / (0.1 * std::sqrt(2.0))),
              1e-12);
  EXPECT_DOUBLE_EQ(probability_faster({1, 0.3}, {1, 0.1}), 0.5);
  EXPECT_DOUBLE_EQ(probability_faster({2, 0}, {1, 0}), 0);
}

// Of two, the first alone fails where the second is faster by more than 5 %:
// P = Phi((ln t1 - ln t2 - ln 1.05) / (sigma sqrt 2)). With t2 = t1 r, sure = 95 % needs (ln r + ln 1.05) /
// (sigma sqrt 2)
// >= 1.645. For sigma 0.1: ln r >= 0.2326 - 0.0488 = 0.1838, r >= 1.2018.
TEST(Measure, OneOfTwoIsEnoughFromTheRatioThatTheNormalDistributionGives) {
  const Confidence confidence;
  EXPECT_EQ(configurations_to_measure(stream_of({{1, 0.1}, {1.20, 0.1}}), confidence), 2U);
  EXPECT_EQ(configurations_to_measure(stream_of({{1, 0.1}, {1.21, 0.1}}), confidence), 1U);
}

// n alike with hardly any reach (within 0.01 % of the best): the best is each with the same chance, so k of n
// hold it with k/n: 95 % of 100 are 95.
TEST(Measure, OfEqualsTheShareThatIsAskedFor) {
  const std::vector<TimedConfiguration> equals(100, {1, 0.3});
  const std::uint64_t k = configurations_to_measure(stream_of(equals), {0.95, 1e-4});
  EXPECT_NEAR(static_cast<double>(k), 95, 1);
}

TEST(Measure, WithoutErrorTheFirst) {
  EXPECT_EQ(configurations_to_measure(stream_of({{1, 0}, {1, 0}, {2, 0}}), {}), 1U);
  EXPECT_EQ(configurations_to_measure(stream_of({{1, 0.5}}), {}), 1U);
  EXPECT_EQ(configurations_to_measure(stream_of({}), {}), 0U);
}

TEST(Measure, FarOnesDoNotCount) {
  std::vector<TimedConfiguration> list = {{1, 0.1}, {1.05, 0.1}, {1.1, 0.1}};
  const std::uint64_t k = configurations_to_measure(stream_of(list), {});
  for (int i = 0; i < 1000; ++i)
    list.push_back({100, 0.1});
  EXPECT_EQ(configurations_to_measure(stream_of(list), {}), k);
}

} // namespace
} // namespace forewarp::explore
