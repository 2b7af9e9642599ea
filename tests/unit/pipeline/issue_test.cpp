#include "kernels.h"

#include <numeric>

namespace forewarp::pipeline::testing {
namespace {

using Cycles = std::vector<double>;

TEST(Issue, DependentStartsExactlyAtLatency) {
  Issues issues;
  const Outcome outcome = run(one_pipe(), {program({op(0, 1, 7, 0), op(0, 1, 4, 1, {0})})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 7}));
  EXPECT_DOUBLE_EQ(outcome.cycles, 11);
}
TEST(Issue, IndependentWaitsForThePipeOnly) {
  Issues issues;
  run(one_pipe(), {program({op(0, 3, 7, 0), op(0, 3, 7, 1)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 3}));
}
TEST(Issue, LambdaBelowOneCycleNeedsNoIssueLimit) {
  Issues issues;
  run(one_pipe(0), {program({op(0, 0.25f, 4), op(0, 0.25f, 4), op(0, 0.25f, 4)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 0.25, 0.5}));
}
TEST(Issue, OneSlotPerCycleAndScheduler) {
  Issues issues;
  run(one_pipe(1), {program({op(0, 0.25f, 4), op(1, 0.25f, 4)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 1}));
}
// A branch is not predicted: the next instruction of its warp waits for it, another warp's does not.
TEST(Issue, NextInstructionOfAWarpWaitsForItsBranch) {
  Instruction branch = op(0, 1, 16);
  branch.hold_cycles = branch.latency_cycles;
  Issues issues;
  const auto warp = program({branch, op(0, 1, 4)});
  const Outcome outcome = run(one_pipe(), {warp, warp}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 16}));
  EXPECT_EQ(issues.cycles_of(0, 1), (Cycles{1, 17}));
  // 15 cycles each, from the end of the branch's slot on
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<std::size_t>(StallCause::dependence_arithmetic)], 30);
}
// Kepler: two of a warp's instructions that do not wait for each other leave together where the unit takes
// several a cycle; the pair holds the scheduler for 2 / 1.25 cycles. A unit that takes one a cycle takes the
// second when it is free.
TEST(Issue, APairGoesToAUnitThatTakesSeveralACycle) {
  Issues issues;
  run(one_pipe(1.25), {program({op(0, 0.25f, 4), op(0, 0.25f, 4), op(0, 0.25f, 4), op(0, 0.25f, 4)})}, 1,
      &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 0, 1.6, 1.6}));
  Issues one_a_cycle;
  run(one_pipe(1.25), {program({op(0, 1, 4), op(0, 1, 4)})}, 1, &one_a_cycle);
  EXPECT_EQ(one_a_cycle.cycles_of(0, 0), (Cycles{0, 1}));
}
// AMD: the slots of a cycle go to different warps. Pipes 0 and 1 each take one instruction a cycle; a warp
// issues every fourth cycle. Both warps alternate pipes, so that both issue in each fourth cycle.
TEST(Issue, SlotsOfOneCycleGoToDifferentWarps) {
  Configuration configuration = one_pipe(4);
  configuration.warp_issue_distance_cycles = 4;
  const auto one = program({op(0, 1, 1), op(1, 1, 1), op(0, 1, 1)});
  const auto other = program({op(1, 1, 1), op(0, 1, 1), op(1, 1, 1)});
  Issues issues;
  run(configuration, {one, other}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 4, 8}));
  EXPECT_EQ(issues.cycles_of(0, 1), (Cycles{0.25, 4.25, 8.25}));
}
TEST(Issue, OverallLimitIsSharedBySchedulers) {
  Configuration configuration = one_pipe(1);
  configuration.schedulers = 2;
  configuration.issue_limit_per_sm = 1;
  const auto warp = program({op(0, 1, 1), op(0, 1, 1)});
  EXPECT_DOUBLE_EQ(run(configuration, {warp, warp}).cycles, 4);
  configuration.issue_limit_per_sm = 0;
  EXPECT_DOUBLE_EQ(run(configuration, {warp, warp}).cycles, 2);
}
TEST(Issue, PerSchedulerPipesAndSharedPipes) {
  Configuration configuration = one_pipe(1);
  configuration.schedulers = 2;
  const auto own = program({op(0, 4, 4), op(0, 4, 4)});
  const auto shared = program({op(1, 4, 4), op(1, 4, 4)});
  EXPECT_DOUBLE_EQ(run(configuration, {own, own}).cycles, 8);
  const Outcome outcome = run(configuration, {shared, shared});
  EXPECT_DOUBLE_EQ(outcome.cycles, 16);
  EXPECT_EQ(outcome.subsystem_instances, (std::vector<unsigned>{2, 1}));
}
// Two warps contend for one shared pipe: schedulers take turns, so that neither starves.
TEST(Issue, SchedulersShareFairly) {
  Configuration configuration = one_pipe(1);
  configuration.schedulers = 2;
  Issues issues;
  const auto warp = program({op(1, 1, 1), op(1, 1, 1)});
  run(configuration, {warp, warp}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 2}));
  EXPECT_EQ(issues.cycles_of(0, 1), (Cycles{1, 3}));
}
TEST(Issue, SecondSubsystemTakesOver) {
  Configuration configuration = one_pipe(1);
  Instruction either = op(0, 2, 4);
  either.second_subsystem = 1;
  Issues issues;
  const Outcome outcome = run(configuration, {program({either, either, either, either})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 1, 2, 3}));
  EXPECT_EQ(outcome.subsystem_instructions, (std::vector<double>{2, 2}));
}
// Dual issue: pairs of one warp in one cycle, but not a dependent pair and not the same busy pipe.
TEST(Issue, DualIssueTakesConsecutiveInstructionsOfOneWarp) {
  Configuration configuration = one_pipe(2);
  Issues issues;
  run(configuration, {program({op(0, 1, 4, 0), op(1, 1, 4, 1), op(0, 1, 4, 2), op(0, 1, 4, 3)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (Cycles{0, 0, 1, 2}));
  Issues two_warps; // the second warp may not use the first one's other slot
  const auto one = program({op(0, 1, 4, 0)});
  const auto other = program({op(1, 1, 4, 0)});
  run(configuration, {one, other}, 1, &two_warps);
  EXPECT_EQ(two_warps.cycles_of(0, 1), Cycles{1});
}
TEST(Issue, StallCausesAddUpToTheResidentTime) {
  Configuration configuration = one_pipe(1);
  configuration.tag_count = 1;
  Instruction load = op(1, 2, 20, 1, {0});
  load.memory = true;
  const auto warp = program({op(0, 2, 5, 0), load, barrier(3), op(0, 2, 6, 2, {1})});
  const Outcome outcome = run(configuration, {warp, warp, warp, warp}, 3);
  const double stalls = std::accumulate(outcome.stall_cycles.begin(), outcome.stall_cycles.end(), 0.0);
  // a warp's last instruction: its slot is one of its six cycles
  const double tails = 12 * (6 - 1);
  EXPECT_DOUBLE_EQ(outcome.warp_resident_cycles, stalls + outcome.issue_slots_used + tails);
  EXPECT_DOUBLE_EQ(outcome.tag_stall_cycles[0], stalls);
  EXPECT_DOUBLE_EQ(outcome.tag_issue_cycles[0], outcome.issue_slots_used);
}
TEST(Issue, StallsNameTheirCause) {
  Instruction load = op(1, 1, 10, 1, {0});
  load.memory = true;
  const Outcome outcome =
      run(one_pipe(1), {program({op(0, 1, 4, 0), load, op(0, 1, 4, 2, {1}), op(0, 1, 1)})});
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<int>(StallCause::dependence_arithmetic)], 3); // 1 to 4
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<int>(StallCause::dependence_memory)], 9);     // 5 to 14
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<int>(StallCause::subsystem_busy)], 0);
}
TEST(Issue, BadInstructionIsRefusedWithItsPlace) {
  for (const Instruction& bad :
       {op(7, 1, 1), op(0, -1, 1), op(0, 1, -1), op(0, 1, 1, 99), op(0, 1, 1, 0, {99})}) {
    ProgramSource source(program({op(0, 1, 1), bad}), 1, 1);
    const auto outcome = simulate(one_pipe(), source);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().code, ErrorCode::bad_input);
    EXPECT_NE(outcome.error().where.find("group 0"), std::string::npos);
  }
}
TEST(Issue, TooManyWarpsAreRefused) {
  ProgramSource source(program({op(0, 1, 1)}), 65, 1);
  EXPECT_EQ(simulate(one_pipe(), source).error().code, ErrorCode::unsupported);
}

// Two products of 20 cycles each stand in the unit's queue: the warp issues at 0, 1, 2. Their results come
// 5 cycles after their turns, at 0 and 20; who reads the second one waits for the unit, not for arithmetic.
TEST(Queues, TheWarpGoesOnWhileTheUnitWorks) {
  const auto queued = [](std::uint32_t destination) {
    Instruction product = op(1, 20, 5, destination);
    product.queued = true;
    return product;
  };
  Issues issues;
  const Outcome outcome = run(
      one_pipe(), {program({queued(0), queued(1), op(0, 1, 1), op(0, 1, 1, no_register, {1})})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (std::vector<double>{0, 1, 2, 25}));
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<std::size_t>(StallCause::subsystem_busy)], 22);
  EXPECT_DOUBLE_EQ(outcome.stall_cycles[static_cast<std::size_t>(StallCause::dependence_arithmetic)], 0);
}
// What is not queued waits until the queue is empty: 2 x 20.
TEST(Queues, OthersWaitForTheUnit) {
  Instruction product = op(1, 20, 5);
  product.queued = true;
  Issues issues;
  run(one_pipe(), {program({product, product, op(1, 1, 1)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (std::vector<double>{0, 1, 40}));
}

} // namespace
} // namespace forewarp::pipeline::testing
