// One warp waits for another, or for bytes: worked by hand.
#include "kernels.h"

namespace forewarp::pipeline::testing {
namespace {

Instruction at(std::uint32_t meeting, Instruction instruction) {
  instruction.meeting = meeting;
  return instruction;
}
Instruction wait(std::uint32_t meeting) {
  Instruction instruction = at(meeting, op(0, 1, 1));
  instruction.kind = Instruction::Kind::wait;
  return instruction;
}

TEST(Meeting, WaitsForTheLastArrival) {
  Issues issues;
  // Warp 0 arrives at 0 and 1 with a latency of 50 and of 20; warp 1 may go on at 50.
  run(one_pipe(0), {program({at(0, op(0, 1, 50)), at(0, op(0, 1, 20))}), program({wait(0), op(0, 1, 1)})}, 1,
      &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (std::vector<double>{0, 1}));
  EXPECT_EQ(issues.cycles_of(0, 1), (std::vector<double>{50, 51}));
}

TEST(Meeting, WhatIsOverIsNotWaitedFor) {
  Issues issues;
  std::vector<Instruction> late = {op(0, 1, 1)};
  for (int i = 0; i < 9; ++i)
    late.push_back(op(0, 1, 1));
  late.push_back(wait(0));
  run(one_pipe(0), {program({at(0, op(0, 1, 3))}), program(late)}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 1).back() - issues.cycles_of(0, 1)[9], 1);
}

TEST(Meeting, NobodyArrives) {
  const Outcome outcome =
      run(one_pipe(), {program({wait(7), op(0, 1, 1)})}); // no stream arrives there: it is over
  EXPECT_DOUBLE_EQ(outcome.cycles, 2);
  EXPECT_DOUBLE_EQ(outcome.unmet_waits, 0);
}

TEST(Meeting, WaitsThatNothingEndsAreGivenUp) {
  // Each waits for the other before it arrives.
  const Outcome outcome =
      run(one_pipe(), {program({wait(0), at(1, op(0, 1, 1))}), program({wait(1), at(0, op(0, 1, 1))})});
  EXPECT_DOUBLE_EQ(outcome.unmet_waits, 2);
}

TEST(Meeting, LateArrivalWaitsForItsSourcesAndTheWarpDoesNot) {
  Issues issues;
  Instruction late = at(0, op(0, 1, 1, no_register, {3}));
  late.kind = Instruction::Kind::late;
  run(one_pipe(0), {program({op(1, 1, 100, 3), late, op(0, 1, 1)}), program({wait(0)})}, 1, &issues);
  EXPECT_EQ(issues.cycles_of(0, 0), (std::vector<double>{0, 0, 1})); // the load goes to another pipe
  EXPECT_EQ(issues.cycles_of(0, 1), (std::vector<double>{100}));
}

/// A producer fills two stages of a ring, a consumer empties them. Filling takes 100 cycles, using 60: with
/// two stages the producer's next fill overlaps with the use of the last, and each round of two takes 160.
TEST(Meeting, RingOfTwoStagesOverlaps) {
  constexpr int rounds = 4;
  std::vector<Instruction> producer, consumer;
  const auto full = [](int i) { return static_cast<std::uint32_t>(2 * i); };
  const auto empty = [](int i) { return static_cast<std::uint32_t>(2 * i + 1); };
  for (int i = 0; i < 2 * rounds; ++i) {
    if (i >= 2)
      producer.push_back(wait(empty(i - 2)));
    producer.push_back(at(full(i), op(1, 0, 100)));
    consumer.push_back(wait(full(i)));
    consumer.push_back(at(empty(i), op(0, 0, 60)));
  }
  Issues issues;
  run(one_pipe(0), {program(producer), program(consumer)}, 1, &issues);
  const std::vector<double> cycles = issues.cycles_of(0, 1);
  // Waits for stages 0, 2, 4, 6: one fill and one use apart.
  for (std::size_t i = 4; i < cycles.size(); i += 4)
    EXPECT_NEAR(cycles[i] - cycles[i - 4], 160, 4);
}

TEST(Meeting, GroupsHaveTheirOwn) {
  Configuration configuration = one_pipe(0);
  configuration.concurrent_groups = 2;
  Issues issues;
  run(configuration, {program({at(0, op(0, 1, 50))}), program({wait(0)})}, 2, &issues);
  EXPECT_EQ(issues.cycles_of(0, 1).front(), 50);
  EXPECT_GE(issues.cycles_of(1, 1).front(), 50);
}

} // namespace
} // namespace forewarp::pipeline::testing
