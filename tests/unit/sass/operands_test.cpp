#include "sass/timing/operands.h"

#include <gtest/gtest.h>

namespace forewarp::sass {
namespace {

Operand general(std::uint16_t number, bool reuse = false) {
  Operand operand;
  operand.number = number;
  operand.reuse = reuse;
  return operand;
}

Instruction multiply_add(std::vector<Operand> sources) {
  Instruction instruction;
  instruction.opcode = Opcode::ffma;
  instruction.destinations = 1;
  instruction.operands = {general(0)};
  instruction.operands.insert(instruction.operands.end(), sources.begin(), sources.end());
  return instruction;
}

using Reads = std::array<std::uint8_t, 2>;

Kernel kernel_of(std::vector<Instruction> instructions) {
  Kernel kernel;
  kernel.instructions = std::move(instructions);
  return kernel;
}

TEST(BankReads, SourcesCountByTheirNumbersParity) {
  const Kernel kernel = kernel_of({multiply_add({general(2), general(4), general(6)}),
                                   multiply_add({general(2), general(3), general(zero_register)})});
  EXPECT_EQ(bank_reads(kernel, 0), (Reads{3, 0}));
  EXPECT_EQ(bank_reads(kernel, 1), (Reads{1, 1}));
}

TEST(BankReads, KeptSourceIsReadAtItsPositionOnly) {
  const Kernel kernel = kernel_of({multiply_add({general(2, true), general(4), general(6)}),
                                   multiply_add({general(2), general(3), general(5)}),
                                   multiply_add({general(7), general(2), general(5)})});
  EXPECT_EQ(bank_reads(kernel, 1), (Reads{0, 2})); // R2 at the same position
  EXPECT_EQ(bank_reads(kernel, 2), (Reads{1, 2})); // at another one
}

TEST(BankReads, AnotherRegisterOfTheBankTakesThePlace) {
  const Kernel kernel = kernel_of({multiply_add({general(2, true), general(4), general(6)}),
                                   multiply_add({general(8), general(3), general(5)}),
                                   multiply_add({general(2), general(3), general(5)})});
  EXPECT_EQ(bank_reads(kernel, 2), (Reads{1, 2}));
}

TEST(BankReads, ABranchEndsWhatIsKept) {
  Instruction branch;
  branch.opcode = Opcode::bra;
  const Kernel kernel = kernel_of({multiply_add({general(2, true), general(4), general(6)}), branch,
                                   multiply_add({general(2), general(3), general(5)})});
  EXPECT_EQ(bank_reads(kernel, 2), (Reads{1, 2}));
}

// Huerta et al., table 2: 14 cycles for the sources of a 32-bit store, 20 for 128 bits; a load's address 11.
TEST(SourceReads, StoresReadLongerThanLoads) {
  Instruction store;
  store.opcode = Opcode::stg;
  EXPECT_EQ(source_read_cycles(store), 14U);
  store.modifiers = {Modifier::w128};
  EXPECT_EQ(source_read_cycles(store), 20U);
  Instruction load;
  load.opcode = Opcode::ldg;
  load.destinations = 1;
  EXPECT_EQ(source_read_cycles(load), 11U);
}

} // namespace
} // namespace forewarp::sass
