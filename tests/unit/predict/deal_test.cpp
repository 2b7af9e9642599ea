// Which samples an SM runs: in proportion to their weight, and from all over the grid where no class comes to
// a group of its own.
#include "predict/traced/waves/deal.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid::test {
namespace {

using Samples = std::vector<std::uint32_t>;

std::vector<facts::BehaviourClass> classes_of(const std::vector<double>& weights) {
  std::vector<facts::BehaviourClass> classes;
  for (const double weight : weights)
    classes.push_back({classes.size(), {static_cast<std::uint32_t>(classes.size())}, weight});
  return classes;
}

TEST(Deal, GroupsComeByTheWeightOfTheirClass) {
  EXPECT_EQ(deal(classes_of({6, 2}), 4, false), (Samples{0, 0, 1, 0}));
  EXPECT_EQ(deal(classes_of({6, 2}), 4, true), (Samples{0, 0, 1, 0})); // the first is due for a whole group
}

TEST(Deal, FewOfManyUnlikeGroupsComeFromAllOverTheGrid) {
  const auto eight = classes_of({1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(deal(eight, 2, false), (Samples{0, 1}));
  EXPECT_EQ(deal(eight, 2, true), (Samples{1, 5})); // the middles of both halves
  EXPECT_EQ(deal(classes_of({3, 3, 3, 1, 1, 1}), 3, true), (Samples{0, 1, 3}));
}

TEST(Deal, LengthsAreThoseOfTheLongestWarp) {
  facts::KernelTrace trace;
  trace.groups.resize(2);
  for (facts::GroupTrace& group : trace.groups)
    group.warps.resize(2);
  trace.groups[0].warps[0].ir_instructions = 100;
  trace.groups[1].warps[1].ir_instructions = 105;
  EXPECT_EQ(length_of(trace.groups[1]), 105);
  EXPECT_FALSE(is_uneven(classes_of({1, 1}), trace));
  trace.groups[1].warps[1].ir_instructions = 106;
  EXPECT_TRUE(is_uneven(classes_of({1, 1}), trace));
}

} // namespace
} // namespace forewarp::predict::hybrid::test
