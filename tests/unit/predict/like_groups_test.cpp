#include "predict/traced/waves/like_groups.h"

#include "predict/traced/streams/simulated_inputs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace forewarp::predict::hybrid::test {
namespace {

/// Groups of one warp with one access each, which asks for so many sectors of DRAM.
struct Sampled {
  facts::KernelTrace trace;
  facts::MemoryProfile memory;

  explicit Sampled(const std::vector<float>& dram_sectors) {
    memory.sites.resize(1);
    for (const float sectors : dram_sectors) {
      facts::GroupTrace group;
      group.warps.resize(1);
      group.warps[0].events.resize(1);
      trace.groups.push_back(group);
      facts::AccessOutcome outcome;
      outcome.sectors = outcome.l2_sectors = 40;
      outcome.dram_sectors = sectors;
      memory.outcomes.push_back({{outcome}});
    }
  }

  std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& samples) const {
    return with_like_groups_joined({{7, samples, 100}}, trace, memory)[0].samples;
  }
};

TEST(LikeGroups, TheOneNearestToTheMeanStandsForThose5PercentAround) {
  const Sampled sampled({38.5F, 40.1F, 41.0F});
  EXPECT_EQ(sampled.joined({0, 1, 2}), (std::vector<std::uint32_t>{1}));
}

TEST(LikeGroups, EqualOnesLeaveTheFirst) {
  const Sampled sampled({40, 40, 40, 40});
  EXPECT_EQ(sampled.joined({1, 2, 3}), (std::vector<std::uint32_t>{1}));
}

TEST(LikeGroups, AllStayWhereOneIsFartherAway) {
  const Sampled sampled({36, 40, 40});
  EXPECT_EQ(sampled.joined({0, 1, 2}), (std::vector<std::uint32_t>{0, 1, 2}));
}

/// Two sites: 4 of 404 sectors may differ at the second, more than 5 % of its own 5.
TEST(LikeGroups, ASmallSiteMayDifferBy1PercentOfAll) {
  Sampled sampled({400, 400});
  sampled.memory.sites.resize(2);
  for (std::size_t g = 0; g < 2; ++g) {
    sampled.trace.groups[g].warps[0].events.push_back({.site = 1});
    facts::AccessOutcome outcome;
    outcome.dram_sectors = g == 0 ? 3 : 7;
    sampled.memory.outcomes[g][0].push_back(outcome);
  }
  EXPECT_EQ(sampled.joined({0, 1}).size(), 1U);
  sampled.memory.outcomes[1][0][1].dram_sectors = 13;
  EXPECT_EQ(sampled.joined({0, 1}).size(), 2U);
}

TEST(LikeGroups, WeightsStay) {
  const Sampled sampled({40, 40});
  const auto classes = with_like_groups_joined({{1, {0}, 3}, {2, {1}, 5}}, sampled.trace, sampled.memory);
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_DOUBLE_EQ(classes[0].weight_groups, 3);
  EXPECT_DOUBLE_EQ(classes[1].weight_groups, 5);
}

TEST(SimulatedInputs, RoundsWhatIsEstimatedMoreThanWhatIsCounted) {
  facts::AccessOutcome outcome;
  outcome.transactions = 33.1F; // steps of 1/4
  outcome.sectors = 4.875F;
  outcome.l2_sectors = 33.1F;   // steps of 1
  outcome.dram_sectors = 0.51F; // steps of 1/32
  const facts::AccessOutcome rounded = as_simulated(outcome);
  EXPECT_EQ(rounded.transactions, 33.0F);
  EXPECT_EQ(rounded.sectors, 4.875F);
  EXPECT_EQ(rounded.l2_sectors, 33.0F);
  EXPECT_EQ(rounded.dram_sectors, 0.5F);
  outcome.transactions = 33.2F;
  outcome.l2_sectors = 63.4F;
  EXPECT_EQ(as_simulated(outcome).transactions, 33.25F);
  EXPECT_EQ(as_simulated(outcome).l2_sectors, 63.0F);
}

TEST(SimulatedInputs, OfDramOneSumIsRounded) {
  const auto simulated = [](float sectors, float extra) {
    facts::AccessOutcome outcome;
    outcome.dram_sectors = sectors;
    outcome.dram_extra_sectors = extra;
    return as_simulated(outcome);
  };
  // 4 sectors' time in all, whatever of it rows took: the same to the simulator.
  EXPECT_EQ(simulated(3.9375F, 0.0625F).dram_sectors, 1.0F);
  EXPECT_EQ(simulated(3.9375F, 0.0625F).dram_extra_sectors, 3.0F);
  EXPECT_EQ(simulated(3.6875F, 0.3125F).dram_extra_sectors, 3.0F);
  // Less than one: how long a warp waits depends on the part that is waited for. 1/32 each.
  EXPECT_EQ(simulated(0.51F, 0.26F).dram_sectors, 0.5F);
  EXPECT_EQ(simulated(0.51F, 0.26F).dram_extra_sectors, 0.28125F); // 0.77 -> 25/32, less 0.5
}

TEST(SimulatedInputs, AnSmHasOneShareOfALargeGrid) {
  // Of 3 SMs the fullest has ceil(n / 3) of n groups: 1.00 to 1.002 times a third from 1000 groups on.
  for (const double groups : {1000.0, 1001.0, 1002.0, 40'000.0})
    EXPECT_EQ(share_as_simulated(std::ceil(groups / 3) / (groups / 3)), 1.0) << groups;
  EXPECT_EQ(share_as_simulated(4 / (10.0 / 3)), 1.203125); // 10 groups: 1.2, to 1/128
}

} // namespace
} // namespace forewarp::predict::hybrid::test
