// The counters behind the dynamic features, fed by hand.
#include "port/features/record/branch_history.h"
#include "port/features/record/footprint.h"
#include "port/features/record/ilp.h"
#include "port/features/record/memory_windows.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

constexpr std::uint64_t object = 1ULL << 40;

TEST(MemoryWindows, RunsCountAsTheirAccessesOneByOne) {
  for (const std::int64_t stride : {0, 1, 4, 8, 12, 20, 128, -4, 260, 2}) {
    MemoryWindows whole({4}), single({4});
    std::uint64_t at = object + 100'000;
    for (const std::uint64_t count : {5, 100, 1, 333}) {
      whole.push_run(0, at, stride, count);
      for (std::uint64_t k = 0; k < count; ++k)
        single.push(0, at + k * static_cast<std::uint64_t>(stride));
      at += count * static_cast<std::uint64_t>(stride);
    }
    EXPECT_EQ(whole.counts().windows, 13U);
    EXPECT_EQ(whole.counts().windows, single.counts().windows);
    EXPECT_EQ(whole.counts().by_transactions, single.counts().by_transactions) << stride;
    EXPECT_EQ(whole.counts().by_bank_conflict, single.counts().by_bank_conflict) << stride;
    EXPECT_EQ(whole.counts().same_address, single.counts().same_address) << stride;
  }
}

TEST(MemoryWindows, GathersCountTheirDistinctBlocks) {
  MemoryWindows windows({4});
  for (std::uint64_t k = 0; k < 32; ++k)
    windows.push(0, object + (k * 7 % 4) * 128); // 0, 3, 2, 1, 0, ...
  EXPECT_EQ(windows.counts().by_transactions[4], 1U);
  EXPECT_EQ(windows.counts().by_bank_conflict[0], 0U);
}

TEST(Footprint, TrafficCountsAnewInEachLaunchBlocksDoNot) {
  using Access = Footprint::Access;
  Footprint footprint;
  for (int launch = 0; launch < 3; ++launch) {
    footprint.begin_launch();
    footprint.touch_run(object, 4, 1024, Access::read);       // 32 blocks
    footprint.touch_run(object, 4, 1024, Access::write);      // the same ones
    footprint.touch_run(object + 8192, 4, 32, Access::write); // one more,
    footprint.touch(object + 8192, Access::read);             // read after it was written
    footprint.touch(object + 100 * 4096, Access::none);       // a thread's own
  }
  EXPECT_EQ(footprint.blocks(), 34U);
  EXPECT_EQ(footprint.pages(), 3U);
  EXPECT_EQ(footprint.read_blocks(), 3 * 32U);
  EXPECT_EQ(footprint.written_blocks(), 3 * 33U);
}

TEST(BranchHistory, AWindowIsMixedWhereItsDecisionsDiffer) {
  BranchHistory history(1);
  history.decide(0, 0, 16); // one window of 16, not mixed
  history.decide(0, 1, 16); // the next one: the change lies between the two
  history.decide(0, 0, 8);
  history.decide(0, 1, 8); // mixed
  history.decide(0, 0, 5); // not complete
  history.decide(0, 1, 1);
  const BranchCounts counts = history.counts();
  EXPECT_EQ(counts.windows[0], 3U);
  EXPECT_EQ(counts.mixed[0], 1U);
  EXPECT_EQ(counts.windows[1], 1U); // of 32: the first holds both ways
  EXPECT_EQ(counts.mixed[1], 1U);
  EXPECT_EQ(counts.windows[2], 0U);
}

/// 64 additions, each of which waits for the one before: windows of 32 take 32 cycles.
TEST(IlpMeter, AChainHasNoParallelismAndStrangersHaveAll) {
  IlpMeter chain(1), strangers(64);
  chain.start();
  strangers.start();
  for (std::uint32_t i = 0; i < 64; ++i) {
    FeatureInstruction next;
    next.operands[0] = 0;
    next.value = 0;
    chain.instruction(next, 0);
    FeatureInstruction free;
    free.value = i;
    strangers.instruction(free, 0);
  }
  chain.stop();
  strangers.stop();
  EXPECT_EQ(chain.counts().instructions, 64U);
  EXPECT_EQ(chain.counts().cycles[0], 64);
  EXPECT_EQ(chain.counts().cycles[4], 64);
  EXPECT_EQ(strangers.counts().cycles[0], 2); // two windows of 32, a cycle each
  EXPECT_EQ(strangers.counts().cycles[4], 1);
}

/// store x; load x: the load waits. The product of a multiply-add waits for two, its sum for the third.
TEST(IlpMeter, MemoryAndMultiplyAddsCarryDependences) {
  IlpMeter meter(3);
  meter.start();
  FeatureInstruction store;
  store.store = true;
  meter.instruction(store, 64); // cycle 1
  FeatureInstruction load;
  load.load = true;
  load.value = 0;
  meter.instruction(load, 64); // 2
  load.value = 1;
  meter.instruction(load, 128); // 1: another place
  FeatureInstruction fma;
  fma.weight = 2;
  fma.operands = {1, 1, 0, facts::no_region_index}; // product 2, sum 3
  fma.value = 2;
  meter.instruction(fma, 0);
  meter.stop();
  EXPECT_EQ(meter.counts().instructions, 5U);
  EXPECT_EQ(meter.counts().cycles[4], 3);
}

} // namespace
} // namespace forewarp::port
