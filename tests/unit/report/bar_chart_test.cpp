#include "report/plots/bar_chart.h"

#include <gtest/gtest.h>

namespace forewarp::report {
namespace {

TEST(BarChart, BarsBeginAtTheBase) {
  const BarChart chart{"a < b", "ratio", 1, {{"A", {{"1", 1}, {"2", 3}}}}};
  const std::string svg = to_svg(chart);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("width=\"520.0\""), std::string::npos); // 3 is the most
  EXPECT_NE(svg.find("width=\"1.0\""), std::string::npos);   // 1 is the base
}

} // namespace
} // namespace forewarp::report
