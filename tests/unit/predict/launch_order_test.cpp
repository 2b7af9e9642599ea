// When a group starts, where groups are longer or shorter by their place in the grid.
#include "predict/traced/waves/launch_order.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid::test {
namespace {

struct Sample {
  std::uint64_t group = 0, length = 0;
  double weight = 0;
};

class Grid {
public:
  Grid(std::uint64_t groups, const std::vector<Sample>& samples) {
    trace_.shape.groups = {groups, 1, 1};
    for (const Sample& sample : samples) {
      facts::GroupTrace group;
      group.group = {sample.group, 0, 0};
      group.warps.resize(1);
      group.warps[0].ir_instructions = sample.length;
      classes_.push_back({classes_.size(), {static_cast<std::uint32_t>(classes_.size())}, sample.weight});
      trace_.groups.push_back(group);
    }
  }
  double start_of_last_sample(std::uint64_t places) const {
    return start_share(trace_, classes_, static_cast<std::uint32_t>(classes_.size() - 1), places);
  }

private:
  facts::KernelTrace trace_;
  std::vector<facts::BehaviourClass> classes_;
};

// Lengths 10, 20, ... 70 and, since the last says nothing of its neighbours, 70 once more: 350, or 175 for
// each of two places. One runs 10, 30, 50, the other 20, 40, 60; the first then takes 70 at 90, the second is
// free at 120.
TEST(LaunchOrder, ATriangleEndsWithItsLongest) {
  EXPECT_DOUBLE_EQ(Grid(8, {{0, 10, 4}, {6, 70, 3}, {7, 80, 1}}).start_of_last_sample(2), 120.0 / 175);
}

// The same upside down: the longest starts at once.
TEST(LaunchOrder, TheFirstGroupStartsAtOnce) {
  EXPECT_EQ(Grid(8, {{1, 70, 4}, {7, 10, 3}, {0, 80, 1}}).start_of_last_sample(2), 0);
}

TEST(LaunchOrder, OneLongGroupAmongEvenOnesMayBeAnywhere) {
  EXPECT_EQ(Grid(4, {{0, 10, 3}, {3, 500, 1}}).start_of_last_sample(2), 0);
}

// Rows of a triangle that are dealt in turn with those of others: long and short ones alternate.
TEST(LaunchOrder, LengthsThatComeAndGoTellNoTurn) {
  EXPECT_EQ(Grid(8, {{0, 10, 2}, {3, 70, 2}, {4, 10, 2}, {7, 70, 2}, {6, 80, 1}}).start_of_last_sample(2), 0);
}

TEST(LaunchOrder, AllStartAtOnceWhereThereIsRoom) {
  EXPECT_EQ(Grid(8, {{0, 10, 7}, {7, 80, 1}}).start_of_last_sample(8), 0);
}

// 1000 groups in two places, from 10 to 30: before number 999 comes all but its own 30, which others run
// beside.
TEST(LaunchOrder, OfALongGridTheWorkBeforeItCounts) {
  EXPECT_NEAR(Grid(1000, {{0, 10, 500}, {998, 30, 499}, {999, 40, 1}}).start_of_last_sample(2),
              1 - 30.0 / 20000, 1e-4);
}

} // namespace
} // namespace forewarp::predict::hybrid::test
