// Which steps parts of a loop hold, worked by hand.
//
// One warp runs a block of two operations and a load 300 times; the first 10 loads hit L1, each of the others
// asks L2 for 4 sectors.
#include "predict/traced/waves/trace_cuts.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

struct OneLoop {
  facts::MachineProgram program;
  facts::KernelTrace trace;
  facts::MemoryProfile memory;
  gpu::Machine machine;

  OneLoop() {
    constexpr std::size_t steps = 300, hits = 10;
    program.sites.resize(1);
    program.blocks.push_back(
        {.ops = {{}, {}, {.op = facts::OpClass::load_global, .site = 0}}, .memory_sites = 1});
    trace.groups.resize(1);
    facts::WarpTrace& warp = trace.groups[0].warps.emplace_back();
    std::vector<facts::AccessOutcome> outcomes;
    for (std::size_t step = 0; step < steps; ++step) {
      warp.steps.push_back(
          {.block = 0, .previous_block = 0, .first_event = static_cast<std::uint32_t>(step)});
      warp.events.emplace_back();
      outcomes.push_back({.sectors = 4, .l2_sectors = step < hits ? 0.0F : 4.0F});
    }
    trace.classes = {{.samples = {0}, .weight_groups = 1}};
    memory.sites.resize(1);
    memory.outcomes = {{outcomes}};
  }
};

class PartsOfALoop : public ::testing::Test {
protected:
  OneLoop loop_;
  StreamTemplates templates_{loop_.program, loop_.machine, {}, {}, 32};
  TraceCutter cutter_{loop_.trace, loop_.trace.classes, loop_.memory, templates_};
};

// 6 and 12 iterations and the last: 287 x 3 instructions are left out, 6 x 3 lie between. Of those 6, 4 loads
// hit.
TEST_F(PartsOfALoop, FirstIterations) {
  ASSERT_TRUE(cutter_.choose_loops(0.02, false));
  const auto parts = cutter_.first_iterations(0.02, 0.04);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->shorter.cuts[0][0], (WarpCuts{{6, 299}}));
  EXPECT_EQ(parts->longer.cuts[0][0], (WarpCuts{{12, 299}}));
  EXPECT_DOUBLE_EQ(parts->more, 287.0 / 6);
  EXPECT_FALSE(cutter_.alike(*parts));
  // Of three instructions one is a load: 2/6 of them wait for L2 here, all there. 1/9 and 1/3 an instruction,
  // a twentieth of 1/3 is alike.
  EXPECT_NEAR(cutter_.difference_of(*parts), (1.0 / 3 - 1.0 / 9) / (0.05 / 3), 1e-9);
}

// Stretches of 10 and of 20 iterations in each 100: at 0.5 of what 20 leave of the first (80), at 0.118 of
// the second, at 0.736 of the third. All 30 between miss; so do all but 9 of the 238 that are left out.
TEST_F(PartsOfALoop, StretchesOfTheWhole) {
  ASSERT_TRUE(cutter_.choose_loops(0.05, false));
  const auto parts = cutter_.spread_iterations(0.1, 0.2, 3);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->shorter.cuts[0][0], (WarpCuts{{1, 40}, {50, 109}, {119, 258}, {268, 299}}));
  EXPECT_EQ(parts->longer.cuts[0][0], (WarpCuts{{1, 40}, {60, 109}, {129, 258}, {278, 299}}));
  EXPECT_DOUBLE_EQ(parts->held_share, 1 - 238.0 / 300);
  EXPECT_DOUBLE_EQ(parts->more, 238.0 / 30);
  EXPECT_TRUE(cutter_.alike(*parts));
}

// The first and last 20 steps run with other lanes, as those of an image's rim do. Their 40 runs span the
// whole warp, but one "iteration" of them would be the 261 steps between; the 260 runs inside are the loop:
// 13 and 26.
TEST(TraceCuts, RunsAtBothEndsAreNoLoop) {
  OneLoop loop;
  std::vector<facts::BlockStep>& steps = loop.trace.groups[0].warps[0].steps;
  for (std::size_t step = 0; step < steps.size(); ++step)
    steps[step].active = step < 20 || step >= 280 ? 1 : 3;
  const StreamTemplates templates{loop.program, loop.machine, {}, {}, 32};
  TraceCutter cutter{loop.trace, loop.trace.classes, loop.memory, templates};
  ASSERT_TRUE(cutter.choose_loops(0.05, false));
  const auto parts = cutter.first_iterations(0.05, 0.1);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->shorter.cuts[0][0], (WarpCuts{{33, 279}}));
  EXPECT_EQ(parts->longer.cuts[0][0], (WarpCuts{{46, 279}}));
}

// A loop of 100 runs on one pipe, then one of 25 on another, two operations of a cycle a run. Shares of 0.1
// and 0.12 are 10 and 12 runs of the first and 2 and 3 of the second: the part between has one run in three
// on the second pipe, what is left out 21 of 108. A tenth of a cycle is alike.
TEST(TraceCuts, PartsOfTwoLoopsMayHoldAnotherMix) {
  facts::MachineProgram program;
  for (const facts::OpClass op : {facts::OpClass::fp32_fma, facts::OpClass::int_add})
    program.blocks.push_back({.ops = {{.op = op}, {.op = op}}});
  gpu::Machine machine;
  machine.ops[static_cast<std::size_t>(facts::OpClass::fp32_fma)].unit = 1;
  facts::KernelTrace trace;
  trace.groups.resize(1);
  facts::WarpTrace& warp = trace.groups[0].warps.emplace_back();
  for (std::uint32_t step = 0; step < 125; ++step)
    warp.steps.push_back({.block = step / 100, .previous_block = step / 100});
  trace.classes = {{.samples = {0}, .weight_groups = 1}};
  facts::MemoryProfile memory;
  memory.outcomes = {{{}}};
  const StreamTemplates templates{program, machine, {}, {}, 32};
  TraceCutter cutter{trace, trace.classes, memory, templates};
  ASSERT_TRUE(cutter.choose_loops(0.1, false));
  const auto parts = cutter.first_iterations(0.1, 0.12);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->shorter.cuts[0][0], (WarpCuts{{10, 99}, {102, 124}}));
  EXPECT_EQ(parts->longer.cuts[0][0], (WarpCuts{{12, 99}, {103, 124}}));
  EXPECT_NEAR(cutter.difference_of(*parts), (1.0 / 3 - 21.0 / 108) / 0.1, 1e-9);
}

// The two parts take 100 and 160 cycles for stretches of 30 and 60 iterations: 238 more take 476.
TEST_F(PartsOfALoop, TheWholeIsOnTheirLine) {
  pipeline::Outcome shorter, longer;
  shorter.cycles = 100;
  longer.cycles = 160;
  EXPECT_DOUBLE_EQ(extended(shorter, longer, 238.0 / 30).cycles, 160 + 476);
}

} // namespace
} // namespace forewarp::predict::hybrid
