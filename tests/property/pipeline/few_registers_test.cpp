// Programs whose registers were numbered anew take the same time as they did.
#include "../../unit/pipeline/kernels.h"

#include <random>

namespace forewarp::pipeline::testing {
namespace {

Program drawn(std::mt19937& random, std::uint32_t registers, std::size_t length) {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  Program program{{}, registers};
  while (program.instructions.size() < length) {
    std::vector<std::uint32_t> sources(below(4));
    for (std::uint32_t& source : sources)
      source = below(registers);
    const bool memory = below(3) == 0;
    Instruction one =
        op(memory ? 1 : 0, 1, memory ? 40.0F : 6.0F, below(5) == 0 ? no_register : below(registers), sources);
    one.memory = memory;
    program.instructions.push_back(one);
  }
  return program;
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.group_finish_cycles, b.group_finish_cycles);
  EXPECT_EQ(a.stall_cycles, b.stall_cycles);
  EXPECT_EQ(a.subsystem_stall_cycles, b.subsystem_stall_cycles);
}

TEST(FewRegisters, TakeTheSameTime) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const Program before = drawn(random, 40, 200);
    Program after = before;
    use_few_registers(after);
    ASSERT_LE(after.register_count, before.register_count);
    for (const Instruction& instruction : after.instructions) {
      for (unsigned s = 0; s < instruction.source_count; ++s)
        ASSERT_LT(instruction.sources[s], after.register_count);
      ASSERT_TRUE(instruction.destination == no_register || instruction.destination < after.register_count);
    }
    const auto first = program(before.instructions, before.register_count);
    const auto second = program(after.instructions, after.register_count);
    expect_same(run(one_pipe(), {first, first, first}, 2), run(one_pipe(), {second, second, second}, 2));
  }
}

// A chain needs one register however long it is; a value that nothing reads has none.
TEST(FewRegisters, AChainNeedsOne) {
  Program chain{{op(0, 1, 4, 0), op(0, 1, 4, 1, {0}), op(0, 1, 4, 2, {1}), op(0, 1, 4, 3, {2, 9})}, 10};
  use_few_registers(chain);
  EXPECT_EQ(chain.register_count, 1U);
  EXPECT_EQ(chain.instructions[2].sources[0], 0U);
  EXPECT_EQ(chain.instructions[2].destination, 0U);
  EXPECT_EQ(chain.instructions[3].source_count, 1U); // register 9 was never written
  EXPECT_EQ(chain.instructions[3].destination, no_register);
}

} // namespace
} // namespace forewarp::pipeline::testing
