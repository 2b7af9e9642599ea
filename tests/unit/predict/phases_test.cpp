#include "predict/traced/waves/phases.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid::test {
namespace {

/// One-dimensional groups; those below `busy` do 1000 instructions, the others 5. Class = kind.
facts::KernelTrace trace_of(std::uint64_t grid, std::uint64_t busy,
                            const std::vector<std::uint64_t>& sampled) {
  facts::KernelTrace trace;
  trace.shape.groups = {grid, 1, 1};
  trace.classes = {{1, {}, static_cast<double>(busy)}, {2, {}, static_cast<double>(grid - busy)}};
  for (const std::uint64_t index : sampled) {
    facts::GroupTrace group;
    group.group = {index, 0, 0};
    group.warps.resize(1);
    group.warps[0].ir_instructions = index < busy ? 1000 : 5;
    trace.classes[index < busy ? 0 : 1].samples.push_back(static_cast<std::uint32_t>(trace.groups.size()));
    trace.groups.push_back(group);
  }
  return trace;
}

TEST(Phases, BusyFrontRunsBeforeTheIdleRest) {
  const std::vector<Phase> phases = phases_of(trace_of(16384, 1000, {0, 999, 1000, 16383}));
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_DOUBLE_EQ(phases[0].groups, 1000);
  EXPECT_DOUBLE_EQ(phases[1].groups, 15384);
  ASSERT_EQ(phases[0].classes.size(), 1U);
  EXPECT_EQ(phases[0].classes[0].behaviour, 1U);
  ASSERT_EQ(phases[1].classes.size(), 1U);
  EXPECT_EQ(phases[1].classes[0].behaviour, 2U);
}

TEST(Phases, OneWhereIdleGroupsLieBetweenBusyOnes) {
  facts::KernelTrace trace = trace_of(16384, 1000, {0, 999, 1000, 16383});
  trace.groups[1].warps[0].ir_instructions = 5;
  trace.groups[3].warps[0].ir_instructions = 1000;
  EXPECT_EQ(phases_of(trace).size(), 1U);
}

// Work falls from group to group, and the last tenth of the groups does less than a tenth of the first; a
// border group that does an eighth is no such fall.
TEST(Phases, OneOfATriangle) {
  facts::KernelTrace triangle = trace_of(40, 40, {0, 10, 20, 30, 34, 37, 38, 39});
  for (facts::GroupTrace& group : triangle.groups)
    group.warps[0].ir_instructions = 25 * (40 - group.group.x);
  EXPECT_EQ(phases_of(triangle).size(), 1U);
  facts::KernelTrace border = trace_of(40, 31, {0, 10, 20, 30, 34, 37, 38, 39});
  border.groups[3].warps[0].ir_instructions = 125;
  EXPECT_EQ(phases_of(border).size(), 2U);
}

TEST(Phases, JoinedFiguresAreThoseOfTheWhole) {
  SmRun first, second;
  first.cycles = 300;
  first.simulated_share = 0.5;
  first.resident_warps = 40;
  first.outcome.instructions = 1000;
  first.outcome.subsystem_busy_cycles = {100, 10};
  first.outcome.subsystem_instances = {4, 1};
  second.cycles = 100;
  second.resident_warps = 20;
  second.outcome.instructions = 50;
  second.outcome.subsystem_busy_cycles = {5, 0};
  const SmRun run = joined(first, second);
  EXPECT_DOUBLE_EQ(run.cycles, 400);
  EXPECT_DOUBLE_EQ(run.resident_warps, 35); // (40 * 300 + 20 * 100) / 400
  EXPECT_DOUBLE_EQ(run.simulated_share, 1);
  EXPECT_DOUBLE_EQ(run.outcome.instructions, 2050);
  EXPECT_EQ(run.outcome.subsystem_busy_cycles, (std::vector<double>{205, 20}));
  EXPECT_EQ(run.outcome.subsystem_instances, (std::vector<unsigned>{4, 1}));
}

} // namespace
} // namespace forewarp::predict::hybrid::test
