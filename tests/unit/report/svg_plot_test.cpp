#include "report/plots/svg_plot.h"

#include <gtest/gtest.h>

namespace forewarp::report {
namespace {

// The frame begins at (80, 36) and is 470 wide and 348 high.
TEST(SvgPlot, PutsDotsOnLogarithmicAxes) {
  SvgPlot plot{"t", {"measured", true}, {"predicted", true}, {{"a < b", {{0.1, 0.1}, {10, 1}}, false}}, true};
  const std::string svg = to_svg(plot);
  EXPECT_NE(svg.find("M80.0 384.0h0M550.0 210.0h0"), std::string::npos) << svg; // 0.1..10: 1 is the middle
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("M80.0 384.0L550.0 36.0\" stroke=\"#888\""), std::string::npos); // y = x
}

TEST(SvgPlot, JoinsLinesAndLeavesOutWhatAnAxisCannotShow) {
  SvgPlot plot{"t", {"point", false}, {"ms", true}, {{"m", {{0, 1}, {1, -3}, {2, 10}}, true}}, false};
  EXPECT_NE(to_svg(plot).find("M80.0 384.0L550.0 36.0\" fill=\"none\""), std::string::npos) << to_svg(plot);
}

TEST(SvgPlot, DrawsNoPoints) {
  EXPECT_NE(to_svg(SvgPlot{"nothing", {"x", true}, {"y", true}, {}, true}).find("</svg>"), std::string::npos);
}

} // namespace
} // namespace forewarp::report
