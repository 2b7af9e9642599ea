// Issue cycles by hand. Rules: an instruction that follows one with stall count s issues s cycles later; a
// wait on a counter holds until the producer's latency has passed; one instruction a cycle and sub-core.
#include "sass/timing/core.h"

#include <gtest/gtest.h>

using namespace forewarp;
using namespace forewarp::sass;

namespace {

Instruction instruction(Opcode opcode, unsigned stall) {
  Instruction made;
  made.opcode = opcode;
  made.guard = {.kind = OperandKind::predicate, .number = true_predicate};
  made.control.stall = static_cast<std::uint8_t>(stall);
  return made;
}

Kernel kernel_of(std::vector<Instruction> instructions) {
  Kernel kernel;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    instructions[i].offset = static_cast<std::uint32_t>(i * instruction_bytes);
  kernel.instructions = std::move(instructions);
  return kernel;
}

CoreRules rules() {
  CoreRules made;
  made.pipe_cycles.fill(1);
  made.global_cycles = 32;
  made.shared_cycles = 24;
  made.special_cycles = 20;
  made.cold_instruction_cache = false;
  return made;
}

std::vector<double> issue_cycles(const Kernel& kernel, unsigned warps, const CoreRules& with) {
  const auto outcome = run_core(kernel, std::vector<WarpPath>(warps, straight_path(kernel)), with);
  EXPECT_TRUE(outcome);
  std::vector<double> cycles;
  for (const InstructionTime& time : outcome->instructions)
    cycles.push_back(time.first_issue_cycle);
  return cycles;
}

} // namespace

// FFMA at 0 with stall 4, FADD at 4 with stall 1, MOV at 5.
TEST(SassCore, StallCountsAreDistances) {
  const Kernel kernel =
      kernel_of({instruction(Opcode::ffma, 4), instruction(Opcode::fadd, 1), instruction(Opcode::mov, 1)});
  EXPECT_EQ(issue_cycles(kernel, 1, rules()), (std::vector<double>{0, 4, 5}));
}

// LDG at 0 sets counter 2, its result is there at 32; FADD at 1 does not wait; FMUL waits for counter 2: 32.
TEST(SassCore, AWaitHoldsUntilTheLoadsResult) {
  Instruction load = instruction(Opcode::ldg, 1);
  load.operands = {{.kind = OperandKind::general, .number = 4}};
  load.destinations = 1;
  load.control.write_barrier = 2;
  Instruction use = instruction(Opcode::fmul, 1);
  use.control.wait_mask = 1 << 2;
  const Kernel kernel = kernel_of({load, instruction(Opcode::fadd, 1), use});
  EXPECT_EQ(issue_cycles(kernel, 1, rules()), (std::vector<double>{0, 1, 32}));
}

// Two loads on counter 0, at 0 and 2; DEPBAR.LE SB0, 1 lets one stay out: it waits for the first only (32).
TEST(SassCore, DepbarLeavesSomeOutstanding) {
  Instruction load = instruction(Opcode::ldg, 2);
  load.operands = {{.kind = OperandKind::general, .number = 4}};
  load.destinations = 1;
  load.control.write_barrier = 0;
  Instruction wait = instruction(Opcode::depbar, 4);
  wait.operands = {{.kind = OperandKind::scoreboard, .number = 0},
                   {.kind = OperandKind::immediate, .value = 1},
                   {.kind = OperandKind::scoreboard_set, .value = 0}};
  const Kernel kernel = kernel_of({load, load, wait});
  EXPECT_EQ(issue_cycles(kernel, 1, rules()), (std::vector<double>{0, 2, 32}));
}

// The queue of memory instructions takes five, one a cycle; the sixth waits until the first is served at 11,
// the seventh until 15 (Huerta et al., table 1, one busy sub-core: 2..6, then 13, 17).
TEST(SassCore, TheSixthMemoryInstructionWaits) {
  const Kernel kernel = kernel_of(std::vector<Instruction>(7, instruction(Opcode::ldg, 1)));
  EXPECT_EQ(issue_cycles(kernel, 1, rules()), (std::vector<double>{0, 1, 2, 3, 4, 11, 15}));
}

// Two warps of FFMA with stall 2: the youngest begins (cycle 0), the other fills the free cycles.
TEST(SassCore, WarpsFillEachOthersStalls) {
  const Kernel kernel = kernel_of(std::vector<Instruction>(3, instruction(Opcode::ffma, 2)));
  const auto outcome = run_core(kernel, std::vector<WarpPath>(2, straight_path(kernel)), rules());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->issued, 6U);
  EXPECT_EQ(outcome->cycles, 6);
}

// A pipe of 16 lanes takes an instruction every second cycle, whatever the stall count says.
TEST(SassCore, AHalfWidePipeTakesTwoCycles) {
  CoreRules half = rules();
  half.pipe_cycles[static_cast<std::size_t>(Pipe::fma)] = 2;
  const Kernel kernel = kernel_of(std::vector<Instruction>(3, instruction(Opcode::ffma, 1)));
  EXPECT_EQ(issue_cycles(kernel, 1, half), (std::vector<double>{0, 2, 4}));
}

// Cold instruction cache: the first line comes after 78 cycles, the second was asked for with it, one cycle
// later.
TEST(SassCore, AColdInstructionCacheDelaysTheFirstLine) {
  CoreRules cold = rules();
  cold.cold_instruction_cache = true;
  const Kernel kernel = kernel_of(std::vector<Instruction>(9, instruction(Opcode::mov, 1)));
  const std::vector<double> cycles = issue_cycles(kernel, 1, cold);
  EXPECT_EQ(cycles[0], 78);
  EXPECT_EQ(cycles[8], 86); // not held by the second line, there at 79
}

TEST(SassCore, AnInstructionOutsideTheKernelIsRefused) {
  const Kernel kernel = kernel_of({instruction(Opcode::exit, 1)});
  const auto outcome = run_core(kernel, {{7}}, rules());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::bad_input);
}
