#include "validate/error_metrics.h"

#include <cmath>
#include <gtest/gtest.h>

namespace forewarp::validate {
namespace {

// |12 - 10| / 10 = 0.2, |15 - 20| / 20 = 0.25: mean 22.5 %.
TEST(ErrorMetrics, Mape) {
  EXPECT_DOUBLE_EQ(*mape_percent({12, 15}, {10, 20}), 22.5);
}

// Differences 1, 2, 6 at 1, 2, 3: mean 3, slope (-1 * -2 + 1 * 3) / 2 = 2.5, line 0.5, 3, 5.5; residuals 0.5,
// -1, 0.5 over 10, 20, 40: (0.05 + 0.05 + 0.0125) / 3 = 3.75 %.
TEST(ErrorMetrics, MapeShape) {
  EXPECT_NEAR(*mape_shape_percent({1, 2, 3}, {11, 22, 46}, {10, 20, 40}), 3.75, 1e-12);
}
TEST(ErrorMetrics, ShapeIgnoresOffsetAndDrift) {
  EXPECT_NEAR(
      *mape_shape_percent({1, 2, 4, 8}, {10 + 3 + 2, 20 + 3 + 4, 25 + 3 + 8, 30 + 3 + 16}, {10, 20, 25, 30}),
      0, 1e-12);
  EXPECT_NEAR(*mape_shape_percent({4}, {15}, {10}), 0, 1e-12);
}

// Pairs (1,2) (1,3) (2,3): same, same, opposite: (2 - 1) / 3.
TEST(ErrorMetrics, KendallTau) {
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 2, 3}, {1, 3, 2}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 2, 3}, {4, 5, 6}), 1);
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 2, 3}, {6, 5, 4}), -1);
  // one tie in a: pairs 2 of 3 count there, 3 in b: 2 / sqrt(2 * 3)
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 1, 2}, {1, 2, 3}), 2 / std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(*kendall_tau({1, 1}, {1, 2}), 0);
}

TEST(ErrorMetrics, BadInput) {
  EXPECT_FALSE(mape_percent({}, {}).has_value());
  EXPECT_FALSE(mape_percent({1}, {1, 2}).has_value());
  EXPECT_FALSE(mape_percent({1}, {0}).has_value());
  EXPECT_FALSE(mape_shape_percent({1, 2}, {1}, {1}).has_value());
  EXPECT_FALSE(kendall_tau({1}, {}).has_value());
}

} // namespace
} // namespace forewarp::validate
