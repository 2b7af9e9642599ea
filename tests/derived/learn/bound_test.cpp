// The bound that a learner of times may start from, worked out by hand for one region.
#include "learn/model/bound.h"
#include "learn/model/dynamic_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace forewarp::learn {
namespace {

// A GPU with 1000 bytes of memory a ms, 4000 of cache, 500 float, 250 double, 2000 instructions a ms,
// 0.01 ms a load, 0.1 ms a launch, room for 64 threads.
const BoundRates rates = {1000, 4000, 500, 250, 2000, 0.01, 0.1, 64};

const std::vector<std::string> names = {
    "ninst",        "fp",           "dp",          "phys_read_bytes", "phys_written_bytes", "phys_launches",
    "phys_threads", "phys_carried", "phys_serial", "warp_threads",    "warp_memory",        "warp_sectors"};

// 32 threads in 2 launches, 1000 instructions, a tenth float, a fifth double; 2048 bytes read, 1024 written;
// 4 accesses a thread and launch, 8 sectors each; one sum.
const std::vector<double> values = {1000, 0.1, 0.2, 2048, 1024, 2, 32, 1, 8, 32, 4, 8};

TEST(Bound, EachTermByHand) {
  const auto bound = physical_bound(names, values, rates);
  ASSERT_TRUE(bound);
  EXPECT_DOUBLE_EQ(bound->memory, 3.072);   // 3072 bytes at 1000
  EXPECT_DOUBLE_EQ(bound->cache, 0.256);    // 1 warp x 4 x 8 sectors x 32 bytes at 4000
  EXPECT_DOUBLE_EQ(bound->arithmetic, 0.8); // 200 double at 250; 100 float take 0.2, issue 0.5
  EXPECT_DOUBLE_EQ(bound->latency, 0.02);   // 2 launches x 4 accesses, four under way
  EXPECT_DOUBLE_EQ(bound->host, 0.4);       // 2 launches, 2 copies of the sum
  EXPECT_DOUBLE_EQ(bound->occupancy, 0.25); // 16 threads a launch of 64
  EXPECT_DOUBLE_EQ(bound->total(), 3.472);
}

TEST(Bound, ALoopWithoutPseudoWarpsHasNoCacheTerm) {
  const std::vector<std::string> few(names.begin(), names.begin() + 9);
  const auto bound = physical_bound(few, {values.begin(), values.begin() + 9}, rates);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->cache, 0);
  EXPECT_DOUBLE_EQ(bound->total(), 3.472);
  EXPECT_DOUBLE_EQ(bound->occupancy, 0.25);
}

TEST(Bound, WithoutTrafficThereIsNone) {
  const auto bound = physical_bound({"ninst", "fp", "dp"}, {1000, 0, 0}, rates);
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().message, "no feature 'phys_launches', which the bound needs");
}

/// Times that are the bound to a power of one feature are found again, whatever the bound is.
TEST(Bound, WhatItLeavesIsLearned) {
  TrainingTable table;
  table.extractor = "dynamic-1";
  table.names = names;
  for (int i = 0; i < 12; ++i) {
    TrainingRow row;
    row.region = "k" + std::to_string(i);
    row.features = values;
    row.features[0] = 1000.0 * (1 + i);
    row.features[3] = 2048.0 * (1 + i % 5);
    row.features[7] = i % 4;
    const auto bound = physical_bound(names, row.features, rates);
    ASSERT_TRUE(bound);
    row.gpu_ms = bound->total() * (1 + row.features[7]); // ln(1 + carried) has the coefficient 1
    table.rows.push_back(row);
  }
  const auto wide = with_bound(table, rates);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->names.size(), names.size() + 7);
  DynamicOptions options;
  options.multiplier = bound_column;
  options.rates = rates;
  options.only = {"phys_carried"};
  const auto model = train_dynamic(*wide, options);
  ASSERT_TRUE(model);
  ASSERT_EQ(model->features.size(), 1U);
  const auto wanted = predict_dynamic(*model, names, table.rows[5].features);
  ASSERT_TRUE(wanted);
  EXPECT_NEAR(wanted->gpu_ms, table.rows[5].gpu_ms, 1e-9);
}

} // namespace
} // namespace forewarp::learn
