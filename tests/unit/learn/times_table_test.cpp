#include "learn/times_table.h"

#include <gtest/gtest.h>

namespace forewarp::learn {
namespace {

std::string same(const std::string& name) {
  return name == "short one" ? "GPU 1" : name;
}

TextTable features() {
  return {"rows.csv",
          {"region", "extractor", "provenance", "gpu", "gpu_ms", "mem"},
          {{"a", "dynamic-1", "", "", "", "0.5"},
           {"b", "dynamic-1", "", "", "", "0.25"},
           {"c", "dynamic-1", "measured", "GPU 2", "9", "0.1"}}};
}

TextTable times() {
  return {"times.csv",
          {"region", "provenance", "short one", "GPU 2", "A CPU"},
          {{"a", "predicted", "1.5", "3", "40"}, {"b", "predicted", "", "4", "50"}}};
}

TEST(TimesTable, ARowGetsTheTimeOfTheNamedGpu) {
  const auto joined = join_times(features(), times(), "GPU 1", "A CPU", same);
  ASSERT_TRUE(joined);
  // b was not run there; c has a time of its own.
  ASSERT_EQ(joined->rows.size(), 2U);
  EXPECT_EQ(joined->columns.back(), "cpu_ms");
  EXPECT_EQ(joined->rows[0],
            (std::vector<std::string>{"a", "dynamic-1", "predicted", "GPU 1", "1.5", "0.5", "A CPU", "40"}));
  EXPECT_EQ(joined->rows[1][3], "GPU 2");
}

TEST(TimesTable, WhatDoesNotFitIsNamed) {
  const auto problem = [](const TextTable& table, const std::string& gpu) {
    const auto joined = join_times(features(), table, gpu, "", same);
    return joined ? "" : joined.error().message;
  };
  EXPECT_EQ(problem(times(), ""), "no GPU was named, and the times are of several");
  EXPECT_EQ(problem(times(), "GPU 3"), "no column of times for GPU 3");
  TextTable twice = times();
  twice.rows.push_back(twice.rows[0]);
  EXPECT_EQ(problem(twice, "GPU 2"), "region 'a' stands twice");
  TextTable bare = times();
  bare.columns[1] = "origin";
  EXPECT_EQ(problem(bare, "GPU 2"), "column missing: provenance");
}

} // namespace
} // namespace forewarp::learn
