// How many loads of copies' addresses are under way at once, worked by hand.
//
// Block 0 leads into a loop. Its block 1 loads a factor (value 0, four registers) from shared memory and adds
// a product to a sum (value 1 from the round before, then value 2), which only the next round reads. Then
// three predicated loads of two registers follow (blocks 2, 4, 6: values 10, 20, 30). Each is a phi in the
// block behind (values 11, 21, 31), where an address (12, 22, 32) is made of it for a copy (13, 23, 33: no
// register).
#include "codegen/nvidia/registers/copy_addresses.h"
#include "derived/codegen/one_operation.h"

#include <gtest/gtest.h>

namespace forewarp::codegen {
namespace {

using facts::OpClass;
using testing::operation;

struct Copies {
  facts::MachineProgram program;
  Flow flow{{{1}, {2, 3}, {3}, {4, 5}, {5}, {6, 7}, {7}, {1, 8}, {}}};
  std::vector<std::uint8_t> sizes = std::vector<std::uint8_t>(40, 2);
  llvm::BitVector predicated = llvm::BitVector(9);

  Copies() {
    program.value_count = 40;
    program.blocks.resize(9);
    sizes[0] = 4;
    sizes[1] = sizes[2] = 1;
    program.blocks[1].phis = {{.previous_block = 7, .destination = 1, .source = 2}};
    program.blocks[1].ops = {operation(OpClass::load_shared, {}, 0),
                             operation(OpClass::tensor_mma, {1, 0}, 2)};
    for (std::uint32_t n = 1; n <= 3; ++n) {
      const std::uint32_t value = 10 * n;
      predicated.set(2 * n);
      sizes[value + 3] = 0;
      program.blocks[2 * n].ops = {operation(OpClass::load_global, {}, value)};
      program.blocks[2 * n + 1].phis = {{.previous_block = 2 * n, .destination = value + 1, .source = value}};
      program.blocks[2 * n + 1].ops = {operation(OpClass::int_add, {value + 1}, value + 2),
                                       operation(OpClass::load_global, {value + 2}, value + 3)};
    }
  }
  /// What the n-th address waits for.
  std::uint32_t awaited(std::uint32_t n) const { return program.blocks[2 * n + 1].ops[0].sources[0]; }
  void run(unsigned registers) {
    let_copy_addresses_go_ahead(program, flow, predicated, liveness(program, flow), sizes, registers);
  }
};

// The sum's register and the factor's four: five are taken where the loads begin. Six leave room for no
// second load.
TEST(CopyAddresses, OneAtATimeWhereRegistersAreFull) {
  Copies kernel;
  kernel.run(6);
  EXPECT_EQ(kernel.awaited(1), 11U);
  EXPECT_EQ(kernel.awaited(2), 21U);
  EXPECT_EQ(kernel.awaited(3), 31U);
}

// Nine leave room for two: the first address waits for nothing, the second for the first load.
TEST(CopyAddresses, TwoAhead) {
  Copies kernel;
  kernel.run(9);
  EXPECT_EQ(kernel.awaited(1), facts::no_value);
  EXPECT_EQ(kernel.awaited(2), 11U);
  EXPECT_EQ(kernel.awaited(3), 31U);
}

// Read by the loop's own arithmetic the sum is not late, and the factor is gone when the loads begin: the
// sum's register alone is taken, and five leave room for two.
TEST(CopyAddresses, FactorsStayForLateProductsAlone) {
  Copies kernel;
  kernel.program.blocks[1].ops.push_back(operation(OpClass::fp32_mul, {2}, 3));
  kernel.sizes[3] = 1;
  kernel.run(5);
  EXPECT_EQ(kernel.awaited(2), 11U);
}

// Behind a barrier another row begins.
TEST(CopyAddresses, NotPastABarrier) {
  Copies kernel;
  kernel.program.blocks[3].ops.push_back(operation(OpClass::barrier, {}, facts::no_value));
  kernel.run(100);
  EXPECT_EQ(kernel.awaited(1), 11U);
  EXPECT_EQ(kernel.awaited(2), facts::no_value);
  EXPECT_EQ(kernel.awaited(3), 31U);
}

} // namespace
} // namespace forewarp::codegen
