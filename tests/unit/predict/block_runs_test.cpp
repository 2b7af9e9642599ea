#include "predict/model_facts/runs.h"

#include <gtest/gtest.h>

namespace forewarp::predict::model_facts::test {
namespace {

/// 0 -> 1 (guard) -> 2 (loop) -> 3, 1 -> 3; one warp.
ControlFlow guarded_loop() {
  return {.successors = {{1}, {2, 3}, {2, 3}, {}},
          .post_dominator = {1, 3, 3, no_block},
          .loop = {no_loop, no_loop, 0, no_loop},
          .loops = {{.header = 2}}};
}

BlockRuns runs_of(const std::vector<facts::BlockStep>& steps, double recorded_share) {
  facts::MachineProgram program;
  program.blocks.resize(4);
  facts::KernelTrace trace;
  trace.groups.resize(1);
  trace.groups[0].warps.resize(1);
  trace.groups[0].warps[0].steps = steps;
  trace.groups[0].warps[0].recorded_share = recorded_share;
  trace.classes = {{.behaviour = 0, .samples = {0}, .weight_groups = 8}};
  const gpu::Machine machine;
  return block_runs({machine, program, trace, facts::MemoryProfile{}, facts::Occupancy{}}, guarded_loop());
}

double edge(const BlockRuns& runs, std::uint32_t from, std::uint32_t to) {
  const auto found = runs.edges.find({from, to});
  return found == runs.edges.end() ? 0 : found->second;
}

TEST(BlockRuns, AWholeRecordIsCounted) {
  const BlockRuns runs = runs_of({{0, no_block}, {1, 0}, {2, 1}, {2, 2}, {2, 2}, {3, 2}}, 1);
  EXPECT_EQ(runs.per_warp, (std::vector<double>{1, 1, 3, 1}));
  EXPECT_EQ(edge(runs, 2, 2), 2);
  EXPECT_EQ(edge(runs, 1, 3), 0);
}

TEST(BlockRuns, OfTheFirstPartOnlyLoopsStandForTheRest) {
  const BlockRuns runs = runs_of({{0, no_block}, {1, 0}, {2, 1}, {2, 2}, {2, 2}}, 0.25);
  EXPECT_EQ(runs.per_warp, (std::vector<double>{1, 1, 12, 0}));
  EXPECT_EQ(edge(runs, 1, 2), 1);
  EXPECT_EQ(edge(runs, 2, 2), 8);
}

TEST(BlockRuns, PiecesOfALoopTellTheWayThere) {
  const BlockRuns runs = runs_of({{2, 2}, {2, 2}}, 0.01);
  EXPECT_EQ(runs.per_warp, (std::vector<double>{1, 1, 200, 0}));
  EXPECT_EQ(edge(runs, no_block, 0), 1);
  EXPECT_EQ(edge(runs, 0, 1), 1);
  EXPECT_EQ(edge(runs, 1, 2), 1); // so that the loop is entered once and turns 200 times
}

} // namespace
} // namespace forewarp::predict::model_facts::test
