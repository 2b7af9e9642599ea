// Sizes at which one time overtakes another, by hand.
#include "formula/crossover.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace forewarp;
using formula::Symbol;

namespace {

Symbol sizes(std::int64_t low, std::int64_t high, std::int64_t step) {
  return {"n", low, high, step, low};
}

// GPU: 10 ms to begin, 1 ms a unit; processor: 3 ms a unit. 3 n > 10 + n from n = 5.000... on; at n = 5 both
// take 15 ms and the first named, the GPU, stands. The processor leads from 1 to 4.
TEST(Crossover, OfTwoLines) {
  const std::vector<formula::Curve> curves = {
      {"gpu", [](std::int64_t n) { return 10.0 + static_cast<double>(n); }},
      {"cpu", [](std::int64_t n) { return 3.0 * static_cast<double>(n); }}};
  const auto leads = formula::leads(curves, sizes(1, 1000, 1));
  ASSERT_EQ(leads.size(), 2U);
  EXPECT_EQ(leads[0].from, 1);
  EXPECT_EQ(leads[0].to, 4);
  EXPECT_EQ(leads[0].fastest, 1U);
  EXPECT_EQ(leads[1].from, 5);
  EXPECT_EQ(leads[1].to, 1000);
  EXPECT_EQ(leads[1].fastest, 0U);
}

// n^2 / 100 against 4 n: equal at n = 400. In steps of 32 from 64 the sizes beside it are 384 and 416.
TEST(Crossover, OnTheSymbolsSteps) {
  const std::vector<formula::Curve> curves = {
      {"square", [](std::int64_t n) { return static_cast<double>(n * n) / 100; }},
      {"line", [](std::int64_t n) { return 4.0 * static_cast<double>(n); }}};
  const auto leads = formula::leads(curves, sizes(64, 6400, 32));
  ASSERT_EQ(leads.size(), 2U);
  EXPECT_EQ(leads[0].to, 384);
  EXPECT_EQ(leads[1].from, 416);
}

// Three lines: 1 + 4 n, 13 + 2 n, 53 + n meet at n = 6 (25 ms), where the first named stands, and n = 40 (93
// ms).
TEST(Crossover, OfThreeLines) {
  const auto line = [](double start, double slope) {
    return [=](std::int64_t n) { return start + slope * static_cast<double>(n); };
  };
  const auto leads =
      formula::leads({{"a", line(1, 4)}, {"b", line(13, 2)}, {"c", line(53, 1)}}, sizes(1, 100, 1));
  ASSERT_EQ(leads.size(), 3U);
  EXPECT_EQ(leads[0].to, 6);
  EXPECT_EQ(leads[1].from, 7);
  EXPECT_EQ(leads[1].to, 40);
  EXPECT_EQ(leads[2].from, 41);
}

// 64, 96, 128, ... and 100, 110, 120, ...: steps of 160; 64 + 32 i = 100 + 10 j first at 160 (i = 3, j = 6).
TEST(Crossover, CommonSizes) {
  const auto both = formula::common_sizes(sizes(64, 1024, 32), sizes(100, 900, 10));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->low, 160);
  EXPECT_EQ(both->step, 160);
  EXPECT_EQ(both->high, 800);
  // even and odd sizes never meet
  EXPECT_FALSE(formula::common_sizes(sizes(2, 100, 2), sizes(1, 99, 2)));
  // nor do ranges that lie apart
  EXPECT_FALSE(formula::common_sizes(sizes(1, 10, 1), sizes(20, 30, 1)));
}

} // namespace
