// Which groups are run: enough of them to tell the dimensions of the grid apart, however dear they are.
#include "simt/sampling/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace forewarp::simt::test {
namespace {

/// Rank of the differences between the essential groups and the first of them.
int rank_of_essential(const facts::Dim3& grid) {
  const SamplePlan plan = plan_sample(grid, {});
  std::vector<std::array<double, 3>> rows;
  const facts::Dim3 origin = group_at(grid, plan.groups[0]);
  for (std::size_t k = 1; k < plan.essential; ++k) {
    const facts::Dim3 g = group_at(grid, plan.groups[k]);
    rows.push_back({static_cast<double>(g.x) - static_cast<double>(origin.x),
                    static_cast<double>(g.y) - static_cast<double>(origin.y),
                    static_cast<double>(g.z) - static_cast<double>(origin.z)});
  }
  int rank = 0;
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t r = static_cast<std::size_t>(rank); r < rows.size(); ++r)
      if (rows[r][column] != 0) {
        std::swap(rows[r], rows[static_cast<std::size_t>(rank)]);
        const std::array<double, 3> pivot = rows[static_cast<std::size_t>(rank)];
        for (std::size_t below = static_cast<std::size_t>(rank) + 1; below < rows.size(); ++below) {
          const double factor = rows[below][column] / pivot[column];
          for (std::size_t i = 0; i < 3; ++i)
            rows[below][i] -= factor * pivot[i];
        }
        ++rank;
        break;
      }
  return rank;
}

TEST(Sampling, EssentialGroupsSpanTheGrid) {
  for (const facts::Dim3 grid : {facts::Dim3{4096, 1, 1},
                                 {64, 64, 1},
                                 {2, 64, 1},
                                 {64, 2, 1},
                                 {1, 64, 32},
                                 {64, 1, 32},
                                 {8, 8, 8},
                                 {2, 2, 64},
                                 {3, 5, 7},
                                 {128, 2, 2}}) {
    const int dimensions = (grid.x > 1 ? 1 : 0) + (grid.y > 1 ? 1 : 0) + (grid.z > 1 ? 1 : 0);
    EXPECT_EQ(rank_of_essential(grid), dimensions) << grid.x << ' ' << grid.y << ' ' << grid.z;
    EXPECT_LE(plan_sample(grid, {}).essential, 6U); // an inner one, its three neighbours, first and last
  }
}

TEST(Sampling, GridsOfNearlyTheSameSizeSampleTheSameGroups) {
  const auto sampled = [](std::uint64_t groups) {
    std::vector<std::uint64_t> indices = plan_sample({groups, 1, 1}, {}).groups;
    std::sort(indices.begin(), indices.end());
    return indices;
  };
  std::size_t common = 0, all = 0;
  for (std::uint64_t groups = 20'000; groups < 20'100; ++groups) {
    const std::vector<std::uint64_t> here = sampled(groups), next = sampled(groups + 1);
    std::vector<std::uint64_t> both;
    std::set_intersection(here.begin(), here.end(), next.begin(), next.end(), std::back_inserter(both));
    all += here.size();
    common += both.size();
    EXPECT_GE(both.size() + 3, here.size()) << groups; // the last one; a draw between the two; the middle
  }
  EXPECT_GE(common, all - 110); // nearly always the last one only
  // Near the middle still, where work that grows with the index has its mean; never in the first half, which
  // may be all that works.
  for (const std::uint64_t groups : {1000U, 1023U, 12'345U, 78'125U, 100'000U}) {
    EXPECT_GE(plan_sample({groups, 1, 1}, {}).groups[0], groups / 2);
    EXPECT_LE(plan_sample({groups, 1, 1}, {}).groups[0], groups / 2 + groups / 128 + 1);
  }
}

TEST(Sampling, TheLongestGroupIsAlwaysRun) {
  for (const std::uint64_t groups : {8U, 16U, 20U, 1000U})
    for (const std::uint64_t longest : {std::uint64_t{0}, groups / 3, groups - 1}) {
      RunOptions options;
      options.longest_group = longest;
      const SamplePlan plan = plan_sample({groups, 1, 1}, options);
      const auto place = std::find(plan.groups.begin(), plan.groups.end(), longest);
      EXPECT_LE(place - plan.groups.begin(), 1) << groups;
      EXPECT_LT(static_cast<std::size_t>(place - plan.groups.begin()), plan.essential);
      EXPECT_EQ(plan.groups.size(), std::min<std::uint64_t>(groups, 16));
      std::vector<std::uint64_t> sorted = plan.groups;
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
    }
}

/// A trace of one-dimensional groups: the first `busy` of `grid` do 1000 instructions, the others 5.
facts::KernelTrace front_trace(std::uint64_t grid, std::uint64_t busy, std::vector<std::uint64_t> sampled) {
  facts::KernelTrace trace;
  trace.shape.groups = {grid, 1, 1};
  std::sort(sampled.begin(), sampled.end());
  for (std::uint64_t index : sampled) {
    facts::GroupTrace group;
    group.group = {index, 0, 0};
    group.warps.resize(1);
    group.warps[0].ir_instructions = index < busy ? 1000 : 5;
    group.behaviour = index < busy ? 1 : 2;
    trace.groups.push_back(group);
  }
  return trace;
}

TEST(Sampling, BorderOfABusyFrontIsFound) {
  std::vector<std::uint64_t> sampled = {0, 1, 8192, 8193, 16383};
  unsigned probes = 0;
  while (const auto next = front_probe(front_trace(16384, 1000, sampled))) {
    sampled.push_back(*next);
    ASSERT_LE(++probes, 12U);
  }
  facts::KernelTrace trace = front_trace(16384, 1000, sampled);
  estimate_classes(trace);
  ASSERT_EQ(trace.classes.size(), 2U);
  EXPECT_NEAR(trace.classes[0].weight_groups, 1000, 32);
  EXPECT_NEAR(trace.classes[0].weight_groups + trace.classes[1].weight_groups, 16384, 1e-6);
}

// Before a short kernel leaves at its test of the index it has done 40 of its 100 instructions.
TEST(Sampling, GroupsThatAskNoMemoryAreIdleThoughTheyComputeTheirIndex) {
  const auto short_kernel = [](bool idle_ask) {
    facts::KernelTrace trace = front_trace(16384, 1000, {0, 1, 8192, 16383});
    for (facts::GroupTrace& group : trace.groups) {
      const bool busy = group.group.x < 1000;
      group.warps[0].ir_instructions = busy ? 100 : 40;
      if (busy || idle_ask)
        group.warps[0].events.emplace_back();
    }
    return trace;
  };
  EXPECT_EQ(front_probe(short_kernel(false)), 1 + (8192 - 1) / 2);
  EXPECT_FALSE(front_probe(short_kernel(true)));
}

TEST(Sampling, AGroupChosenForItsLengthStandsForItself) {
  facts::KernelTrace trace = front_trace(1000, 1000, {0, 300, 500, 501, 999});
  for (std::size_t k = 0; k < trace.groups.size(); ++k)
    trace.groups[k].behaviour = k;
  trace.groups[1].warps[0].ir_instructions = 5000;
  estimate_classes(trace, 300);
  ASSERT_EQ(trace.classes.size(), 5U);
  EXPECT_EQ(trace.classes[1].weight_groups, 1);
  EXPECT_EQ(trace.classes[2].weight_groups, 498.5); // half of the other 997 inside
  estimate_classes(trace);
  EXPECT_NEAR(trace.classes[1].weight_groups, 998 / 3.0, 1e-9);
}

TEST(Sampling, GridsWithoutABusyFrontAreNotSearched) {
  EXPECT_FALSE(front_probe(front_trace(16384, 16384, {0, 8192, 16383})));               // all work
  EXPECT_FALSE(front_probe(front_trace(16384, 16383, {0, 1, 8192, 16383})));            // a rim of one group
  EXPECT_FALSE(front_probe(front_trace(16384, 1000, {0, 499, 500, 999, 1000, 16383}))); // known to one group
}

TEST(Sampling, NeighboursInsideABusyFrontAreRun) {
  EXPECT_EQ(front_probe(front_trace(16384, 1000, {0, 999, 1000, 16383})), 499U);
  EXPECT_EQ(front_probe(front_trace(16384, 1000, {0, 499, 999, 1000, 16383})), 500U);
}

facts::GroupTrace group_of_work(std::uint64_t x, std::uint64_t instructions) {
  facts::GroupTrace group;
  group.group = {x, 0, 0};
  group.behaviour = instructions;
  group.warps.resize(1);
  group.warps[0].ir_instructions = instructions;
  return group;
}

// Of 100 groups four are sampled: 10, 12 and 14 instructions, and one of 1000 that was looked for. It stands
// for itself, and the error is that of the others: a variance of 4 over three samples of 97 inner groups.
TEST(Sampling, WhatWasLookedForAddsNoError) {
  facts::KernelTrace trace;
  trace.shape.groups = {100, 1, 1};
  for (const auto& [x, work] : {std::pair{0, 12}, {10, 10}, {20, 12}, {30, 14}, {40, 1000}, {99, 12}})
    trace.groups.push_back(group_of_work(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(work)));
  estimate_classes(trace, 40);
  double longest = 0, groups = 0;
  for (const facts::BehaviourClass& each : trace.classes) {
    groups += each.weight_groups;
    longest += each.behaviour == 1000 ? each.weight_groups : 0;
  }
  EXPECT_DOUBLE_EQ(groups, 100);
  EXPECT_DOUBLE_EQ(longest, 1);
  EXPECT_NEAR(trace.sampling_relative_error, 0.0504, 0.0005);
}

// As many as the budget holds, one of each equal part of the grid, but for those that were sampled.
TEST(Sampling, ALookGoesOverTheWholeGrid) {
  facts::KernelTrace trace;
  trace.shape.groups = {1000, 1, 1};
  trace.groups.push_back(group_of_work(7, 50));
  EXPECT_EQ(groups_to_look_at(trace, 50, 1e9, 1).size(), 999U);
  const std::vector<std::uint64_t> some = groups_to_look_at(trace, 50, 5000, 1);
  ASSERT_GE(some.size(), 99U);
  EXPECT_TRUE(std::ranges::is_sorted(some));
  EXPECT_LT(some.front(), 20U);
  EXPECT_GE(some.back(), 980U);
}

} // namespace
} // namespace forewarp::simt::test
