// Barriers, refill of group slots, end of warps.
#include "kernels.h"

namespace forewarp::pipeline::testing {
namespace {

using Cycles = std::vector<double>;

TEST(Barrier, WaitsForTheLastWarpPlusItsLatency) {
  Issues issues;
  const auto fast = program({op(0, 1, 1, 0), barrier(2), op(0, 1, 1)});
  const auto slow = program({op(1, 1, 30, 0), op(1, 1, 1, 1, {0}), barrier(2), op(0, 1, 1)});
  Configuration configuration = one_pipe(0);
  configuration.barrier_latency_cycles = 5;
  run(configuration, {fast, slow}, 1, &issues);
  EXPECT_EQ(issues.releases, Cycles{37}); // the slow warp's barrier issues at 30, 2 + 5 later
  EXPECT_DOUBLE_EQ(issues.cycles_of(0, 0).back(), 37);
  EXPECT_DOUBLE_EQ(issues.cycles_of(0, 1).back(), 38);
}
TEST(Barrier, DoesNotCrossGroups) {
  Issues issues;
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  run(configuration, {program({barrier(), op(0, 1, 1)})}, 2, &issues);
  EXPECT_EQ(issues.releases, (Cycles{0, 2})); // group 0 goes on at 1, group 1 arrives at 2
}
TEST(Barrier, EndedWarpsDoNotCount) {
  Issues issues;
  const auto early = program({op(0, 1, 1)});
  const auto rest = program({op(0, 1, 1), barrier(), op(0, 1, 1)});
  const Outcome outcome = run(one_pipe(1), {rest, early, rest}, 1, &issues);
  EXPECT_EQ(issues.releases.size(), 1u);
  EXPECT_TRUE(outcome.finished);
  EXPECT_DOUBLE_EQ(outcome.instructions, 7);
}
TEST(Barrier, ReleasedByAWarpThatEndsAfterTheOthersArrived) {
  const auto late = program({op(1, 1, 50, 0), op(1, 1, 1, 1, {0})});
  // The late warp issues at 1 and, its last, at 51; the other one gets the slot at 52.
  const Outcome outcome = run(one_pipe(1), {program({barrier(), op(0, 1, 1)}), late});
  EXPECT_DOUBLE_EQ(outcome.cycles, 53);
  EXPECT_DOUBLE_EQ(outcome.instructions, 4);
}
TEST(Barrier, SeveralInARow) {
  const auto warp = program({barrier(1), barrier(1), barrier(1)});
  EXPECT_DOUBLE_EQ(run(one_pipe(0), {warp, warp}).cycles, 3);
}

TEST(Groups, SlotsRefillAsGroupsEnd) {
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  const Outcome outcome = run(configuration, {program({op(0, 1, 10)})}, 4);
  EXPECT_EQ(outcome.group_start_cycles, (Cycles{0, 0, 10, 11}));
  EXPECT_EQ(outcome.group_finish_cycles, (Cycles{10, 11, 20, 21}));
  EXPECT_DOUBLE_EQ(outcome.warp_resident_cycles, 10 + 11 + 10 + 10);
}
TEST(Groups, TheSlotThatIsFreeFirstTakesTheNextGroup) {
  // Group 0's only instruction issues first and ends last.
  struct Mixed final : GroupSource {
    int made = 0;
    std::unique_ptr<GroupStreams> next() override {
      if (made == 3)
        return nullptr;
      ProgramSource one(program({op(0, 1, made++ == 0 ? 500.0f : 20.0f)}), 1, 1);
      return one.next();
    }
  } source;
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  const Outcome outcome = *simulate(configuration, source);
  EXPECT_EQ(outcome.group_start_cycles, (Cycles{0, 0, 21}));
  EXPECT_EQ(outcome.group_finish_cycles, (Cycles{500, 21, 41}));
}
TEST(Groups, LaunchInterval) {
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 3;
  configuration.group_launch_interval_cycles = 100;
  EXPECT_EQ(run(configuration, {program({op(0, 1, 10)})}, 3).group_start_cycles, (Cycles{0, 100, 200}));
}
// Two slots, four groups of 10 cycles (the second of a pair issues a cycle later): the third starts 30 cycles
// after the first has ended.
TEST(Groups, ASlotStandsEmptyBetweenTwoGroups) {
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  configuration.group_refill_cycles = 30;
  const Outcome outcome = run(configuration, {program({op(0, 1, 10)})}, 4);
  EXPECT_EQ(outcome.group_start_cycles, (Cycles{0, 0, 40, 41}));
  EXPECT_EQ(outcome.group_finish_cycles, (Cycles{10, 11, 50, 51}));
}
// Groups of two warps, 100 and 10 cycles, room for two groups' warps. The short ones issue at 1 and 3, and
// end at 11 and 13: two places are free and group 2 starts, though no group has ended.
TEST(Groups, WarpsGiveTheirPlacesBack) {
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  configuration.most_groups = 4;
  configuration.warps_per_group = 2;
  configuration.most_running_warps = 4;
  const std::vector<std::shared_ptr<const Program>> warps = {program({op(0, 1, 100)}),
                                                             program({op(0, 1, 10)})};
  const Outcome early = run(configuration, warps, 3);
  EXPECT_DOUBLE_EQ(early.group_start_cycles[2], 13);
  configuration.most_groups = 2; // no barrier or shared memory is left for a third group
  EXPECT_DOUBLE_EQ(run(configuration, warps, 3).group_start_cycles[2], 100);
  configuration.most_running_warps = 0;
  EXPECT_DOUBLE_EQ(run(configuration, warps, 3).group_start_cycles[2], 100);
}
// Groups of a working and an empty warp, two schedulers: all working warps are on the first. Where the empty
// ones of groups 0 and 1 leave, group 2 finds the second one empty.
TEST(Groups, WorkingWarpsSpreadWhereEmptyOnesLeave) {
  Configuration configuration = one_pipe(1);
  configuration.schedulers = 2;
  configuration.concurrent_groups = 3;
  const std::vector<std::shared_ptr<const Program>> warps = {program({op(0, 1, 50)}), program({})};
  EXPECT_DOUBLE_EQ(run(configuration, warps, 3).cycles, 52); // issued at 0, 1, 2
  configuration.warps_per_group = 2;
  configuration.most_running_warps = 4;
  EXPECT_DOUBLE_EQ(run(configuration, warps, 3).cycles, 51);
}
// Two groups of a working and an empty warp start together: the second begins at the second scheduler.
TEST(Groups, WorkingWarpsOfGroupsThatStartTogetherMeetAtNoScheduler) {
  Configuration configuration = one_pipe(1);
  configuration.schedulers = 2;
  configuration.concurrent_groups = 2;
  const std::vector<std::shared_ptr<const Program>> warps = {program({op(0, 1, 50)}), program({})};
  EXPECT_DOUBLE_EQ(run(configuration, warps, 2).cycles, 51); // issued at 0, 1
  configuration.warps_per_group = 2;
  configuration.most_running_warps = 4;
  configuration.most_groups = 2;
  EXPECT_DOUBLE_EQ(run(configuration, warps, 2).cycles, 50);
}
TEST(Groups, PostedStoresDoNotHoldTheSlot) {
  Configuration configuration = one_pipe(1);
  Instruction store = op(1, 1, 100);
  store.posted = true;
  const Outcome outcome = run(configuration, {program({op(0, 1, 5), store})}, 2);
  EXPECT_EQ(outcome.group_start_cycles, (Cycles{0, 5}));
  EXPECT_DOUBLE_EQ(outcome.cycles, 106);
}
TEST(Groups, EmptyWarpsAndGroupsEndAtOnce) {
  EXPECT_DOUBLE_EQ(run(one_pipe(), {program({}), program({op(0, 1, 3)})}, 2).cycles, 6);
  EXPECT_DOUBLE_EQ(run(one_pipe(), {}, 5).cycles, 0);
}
TEST(Groups, WarpsGoToTheEmptiestScheduler) {
  Configuration configuration = one_pipe(1);
  configuration.schedulers = 4;
  configuration.concurrent_groups = 4;
  Issues issues;
  run(configuration, {program({op(0, 1, 1)})}, 4, &issues);
  for (const IssueEvent& event : issues.events)
    EXPECT_DOUBLE_EQ(event.issue_cycle, 0); // single-warp groups spread over all four
}
TEST(Groups, StopsAtMaxCycles) {
  Configuration configuration = one_pipe(1);
  configuration.max_cycles = 100;
  const Outcome outcome = run(configuration, {program({op(0, 1, 10)})}, 1000);
  EXPECT_FALSE(outcome.finished);
  EXPECT_DOUBLE_EQ(outcome.cycles, 100);
  EXPECT_LE(outcome.group_start_cycles.size(), 11u);
}

} // namespace
} // namespace forewarp::pipeline::testing
