// Regressions that can be followed by hand.
#include "learn/regression/bagging.h"

#include <gtest/gtest.h>
#include <numeric>

namespace forewarp::learn {
namespace {

std::vector<std::size_t> every(std::size_t rows) {
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(Stepwise, OneFeatureByHand) {
  // x = 0 1 2 3 4 5, y = 1 3 2 5 4 6: x mean 2.5, y mean 3.5. Sxy = 2.5*2.5 + 1.5*0.5 + 0.5*1.5 + 0.5*1.5
  // + 1.5*0.5 + 2.5*2.5 = 15.5, Sxx = 17.5, Syy = 17.5. Slope 15.5 / 17.5 = 0.885714, constant 3.5 - 2.5 *
  // 0.885714 = 1.285714. R^2 = 15.5^2 / 17.5^2 = 0.784490; adjusted 1 - (1 - 0.784490) * 5 / 4 = 0.730612.
  const RegressionData data{{{0, 1, 2, 3, 4, 5}}, {1, 3, 2, 5, 4, 6}, {}};
  const LinearModel model = forward_stepwise(data, every(6), {});
  ASSERT_EQ(model.terms.size(), 1U);
  EXPECT_NEAR(model.coefficients[0], 0.885714, 1e-6);
  EXPECT_NEAR(model.constant, 1.285714, 1e-6);
  EXPECT_NEAR(model.adjusted_r2[0], 0.730612, 1e-6);
}

TEST(Stepwise, ScaledRowsAreMultipliedThroughout) {
  // Two instructions a row count: time = n * (c + a x). With n = 1 2 1 2, x = 0 0 1 1, times 3 6 5 10: c = 3,
  // a = 2.
  const RegressionData data{{{0, 0, 1, 1, 0, 1}}, {3, 6, 5, 10, 9, 15}, {1, 2, 1, 2, 3, 3}};
  const LinearModel model = forward_stepwise(data, every(6), {});
  ASSERT_EQ(model.terms.size(), 1U);
  EXPECT_NEAR(model.constant, 3, 1e-12);
  EXPECT_NEAR(model.coefficients[0], 2, 1e-12);
}

TEST(Stepwise, AnInteractionNeedsItsGain) {
  // y = x1 * x2 on a full factorial of -1 and 1, twice, with a little of x1 and x2: without the product each
  // explains next to nothing, with it everything. Both features are taken first (theta_2 = 0 asks only for no
  // loss).
  const std::vector<double> one = {-1, -1, 1, 1, -1, -1, 1, 1, 0, 0},
                            two = {-1, 1, -1, 1, -1, 1, -1, 1, 0, 0};
  std::vector<double> response;
  for (std::size_t i = 0; i < one.size(); ++i)
    response.push_back(one[i] * two[i] + 0.8 * one[i] + 0.7 * two[i] + 5);
  const RegressionData data{{one, two}, response, {}};
  const LinearModel with = forward_stepwise(data, every(10), {});
  ASSERT_EQ(with.terms.size(), 3U);
  EXPECT_EQ(with.terms[2], (Term{1, 0}));
  EXPECT_NEAR(with.coefficients[2], 1, 1e-9);
  const LinearModel without = forward_stepwise(data, every(10), {.interaction_gain = 2});
  EXPECT_EQ(without.terms.size(), 2U);
}

TEST(MiddleMean, SixtyOfAHundredAroundTheMedian) {
  // 1 to 100: 21 to 80 count, mean 50.5; with the largest a thousand times as large still.
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 1);
  EXPECT_EQ(middle_range(100, 0.6).first, 20U);
  EXPECT_EQ(middle_range(100, 0.6).last, 80U);
  EXPECT_DOUBLE_EQ(middle_mean(values, 0.6), 50.5);
  values[99] = 100000;
  EXPECT_DOUBLE_EQ(middle_mean(values, 0.6), 50.5);
  EXPECT_DOUBLE_EQ(middle_mean(values, 1), (99 * 50.0 + 100000) / 100);
}

TEST(MiddleMean, NothingIsTheMedian) {
  EXPECT_DOUBLE_EQ(middle_mean({9, 1, 4}, 0), 4);
  EXPECT_DOUBLE_EQ(middle_mean({9, 1, 4, 6}, 0), 5);
}

} // namespace
} // namespace forewarp::learn
