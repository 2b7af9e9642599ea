#include "validate/summary.h"
#include "validate/write.h"

#include <gtest/gtest.h>

namespace forewarp::validate {
namespace {

RowResult row(double measured_ms, double predicted_ms, double warps) {
  RowResult result;
  result.kernel = "k";
  result.gpu = "g";
  result.measured_ms = measured_ms;
  result.predicted_ms = predicted_ms;
  result.low_ms = predicted_ms / 2;
  result.high_ms = predicted_ms * 1.5;
  result.resident_warps = warps;
  return result;
}

/// Two of five rows are exchanged.
SuiteResult exchanged() {
  return {"s", "t", {row(1, 2, 8), row(2, 1, 8), row(3, 3, 16), row(4, 4, 32), row(5, 5, 32)}, {}};
}

TEST(Summary, RanksASpace) {
  const SuiteSummary summary = summarize(exchanged());
  ASSERT_EQ(summary.spaces.size(), 1U);
  const SpaceSummary& space = summary.spaces[0];
  EXPECT_DOUBLE_EQ(space.mape_percent, (100 + 50) / 5.0);
  EXPECT_DOUBLE_EQ(space.median_percent, 0);
  EXPECT_DOUBLE_EQ(space.tau.value(), 0.8); // one of ten pairs the other way
  EXPECT_DOUBLE_EQ(space.best_slowdown.value(), 2);
  EXPECT_EQ(space.best_rank.value(), 2U);
  EXPECT_DOUBLE_EQ(space.covered_share, 0.8); // 2 ms lies outside 0.5 .. 1.5
  EXPECT_DOUBLE_EQ(summary.total.best_within_10_percent_share.value(), 0);
  EXPECT_TRUE(space.shape_percent);
}

TEST(Summary, GivesNoShapeWithoutThreeOccupancies) {
  SuiteResult result = exchanged();
  for (RowResult& each : result.rows)
    each.resident_warps = 8;
  EXPECT_FALSE(summarize(result).spaces[0].shape_percent);
}

TEST(Summary, CountsRowsThatAMethodHasAndRowsLeftOut) {
  SuiteResult result = exchanged();
  for (std::size_t i = 0; i < 3; ++i)
    result.rows[i].baselines_ms["roofline"] = result.rows[i].measured_ms;
  result.left_out = {{"k", "g", "reason", 7}, {"other", "g", "reason", 8}};
  const SuiteSummary summary = summarize(result);
  ASSERT_EQ(summary.spaces[0].methods.size(), 2U);
  EXPECT_EQ(summary.spaces[0].methods[1].rows, 3U);
  EXPECT_DOUBLE_EQ(summary.spaces[0].methods[1].mape_percent, 0);
  EXPECT_EQ(summary.spaces[0].left_out, 1U);
  EXPECT_EQ(summary.total.space.left_out, 2U);
}

TEST(Summary, RanksNothingThatHasTooFewRows) {
  SuiteResult result = exchanged();
  result.rows.resize(1);
  result.rows[0].measured_ms = long_kernel_ms / 2;
  const SuiteSummary summary = summarize(result);
  EXPECT_FALSE(summary.spaces[0].tau);
  EXPECT_TRUE(summary.spaces[0].best_rank);
  EXPECT_FALSE(summary.total.space.tau);
  EXPECT_FALSE(summary.total.space.best_slowdown);
  EXPECT_FALSE(summary.total.space.best_rank);
  EXPECT_FALSE(summary.total.best_within_10_percent_share);
  EXPECT_NE(to_text(result, summary).find("no space has enough rows to be ranked"), std::string::npos);
  EXPECT_TRUE(to_json(result, summary)["total"]["kendall_tau"].is_null());
  EXPECT_TRUE(to_json(result, summary)["total"]["mape_percent_of_20us_and_more"].is_null());
}

TEST(Summary, TakesStagesWithAMeasuredValue) {
  SuiteResult result = exchanged();
  result.rows[0].stages["occupancy"] = {0.5, 0.6};
  result.rows[1].stages["occupancy"] = {0, 0.6};
  const auto& stages = summarize(result).total.space.stages;
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].rows, 1U);
  EXPECT_NEAR(stages[0].median_error_percent, 10, 1e-9); // points, not per cent of 0.5
}

} // namespace
} // namespace forewarp::validate
