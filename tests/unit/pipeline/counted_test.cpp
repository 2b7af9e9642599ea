// Instructions of real machine code: counters, queues, register ports, fetch.
#include "kernels.h"

namespace forewarp::pipeline::testing {
namespace {

using Cycles = std::vector<double>;

/// Counts in `counter` until its result is there; the next instruction issues `stall` cycles later.
Instruction counted(float stall, std::uint32_t counter = no_register, float latency = 4) {
  Instruction instruction = op(0, 1, latency, counter);
  instruction.counted = true;
  instruction.hold_cycles = stall;
  return instruction;
}
Instruction waiting(std::vector<std::uint32_t> counters, float stall = 1) {
  Instruction instruction = op(0, 1, 4, no_register, std::move(counters));
  instruction.counted = true;
  instruction.hold_cycles = stall;
  return instruction;
}

Cycles issued(std::vector<Instruction> instructions, Configuration configuration = one_pipe()) {
  Issues issues;
  run(configuration, {program(std::move(instructions), 6)}, 1, &issues);
  return issues.cycles_of(0, 0);
}

// The stall count alone says when a result of fixed latency may be used, whatever the latency.
TEST(Counted, StallCountIsTheDistance) {
  EXPECT_EQ(issued({counted(13), counted(2), counted(1)}), (Cycles{0, 13, 15}));
}

// Two loads count in counter 0: it is zero when the later result is there, at 1 + 30, not when the second is.
TEST(Counted, CounterIsZeroWhenAllResultsAreThere) {
  EXPECT_EQ(issued({counted(1, 0, 40), counted(1, 0, 30), waiting({0})}), (Cycles{0, 1, 40}));
}

TEST(Counted, OtherCountersAreNotWaitedFor) {
  EXPECT_EQ(issued({counted(1, 0, 40), counted(1, 1, 10), waiting({1}), waiting({0, 1})}),
            (Cycles{0, 1, 11, 40}));
}

// The sources are read at cycle 9, long before the result.
TEST(Counted, ReadCounterFallsWhenTheSourcesWereRead) {
  Instruction store = counted(2, no_register, 300);
  store.read_counter = 3;
  store.read_cycles = 9;
  EXPECT_EQ(issued({store, waiting({3})}), (Cycles{0, 9}));
}

// The second result of a queue is not there before the first, so its counter covers both.
TEST(Counted, QueueHandsResultsOverInOrder) {
  Instruction slow = counted(1, no_register, 40), quick = counted(1, 2, 5);
  slow.queue = quick.queue = 1;
  EXPECT_EQ(issued({slow, quick, waiting({2})}), (Cycles{0, 1, 40}));
  quick.queue = 2;
  EXPECT_EQ(issued({slow, quick, waiting({2})}), (Cycles{0, 1, 6}));
}

// Three groups of copies that are over at 40, 51 and 62: one that may have two, one or none of them under
// way.
TEST(Counted, AWaitMaySpareTheLastOnes) {
  const auto at = [](std::uint8_t spared) {
    Instruction wait = waiting({});
    wait.spared_counter = 0;
    wait.spared = spared;
    return issued({counted(1, 0, 40), counted(1, 0, 50), counted(1, 0, 60), wait}).back();
  };
  EXPECT_EQ(at(0), 62);
  EXPECT_EQ(at(1), 51);
  EXPECT_EQ(at(2), 40);
  EXPECT_EQ(at(3), 3);
}

// Three registers of bank 0 each: 3 cycles of its port. One instruction waits behind the issue stage, so
// that the delay shows from the second on: the port is free at 3, at 6, at 9.
TEST(Counted, ThreeReadsOfOneBankTakeThreeCycles) {
  Instruction multiply = counted(1);
  multiply.bank_reads = {3, 0};
  EXPECT_EQ(issued({multiply, multiply, multiply, multiply}), (Cycles{0, 2, 5, 8}));
  multiply.bank_reads = {1, 1};
  EXPECT_EQ(issued({multiply, multiply, multiply}), (Cycles{0, 1, 2}));
}

Instruction of_line(std::uint16_t line) {
  Instruction instruction = counted(1);
  instruction.code_line = line;
  return instruction;
}

// Lines 0 and 1 are there from the start. Line 2 is asked for along with line 1, at cycle 1, and comes one
// cycle after a line of its own would: 1 + 20 + 1. Line 7 is far: 20 cycles from where it is wanted.
TEST(Counted, LinesComeAlongAndFarOnesAreWaitedFor) {
  Configuration configuration = one_pipe();
  configuration.instruction_cache = {.lines = 8, .miss_cycles = 20, .lines_ahead = 1};
  EXPECT_EQ(issued({of_line(0), of_line(1), of_line(2), of_line(7)}, configuration), (Cycles{0, 1, 22, 43}));
  configuration.instruction_cache.lines = 0;
  EXPECT_EQ(issued({of_line(0), of_line(1), of_line(2), of_line(7)}, configuration), (Cycles{0, 1, 2, 3}));
}

// A loop over three lines in a cache of two: the line used longest ago makes room, so each comes anew.
TEST(Counted, LoopLargerThanTheCacheMissesEveryTime) {
  Configuration configuration = one_pipe();
  configuration.instruction_cache = {.lines = 2, .miss_cycles = 10, .lines_ahead = 0};
  EXPECT_EQ(issued({of_line(0), of_line(1), of_line(2), of_line(0), of_line(1)}, configuration),
            (Cycles{0, 11, 22, 33, 44}));
}

} // namespace
} // namespace forewarp::pipeline::testing
