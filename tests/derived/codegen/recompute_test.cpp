// Which values are made again at their use, worked by hand.
//
// Block 0 makes four multiples (values 1 to 4) of value 0; block 1, a loop, holds them and value 0 and adds
// each to value 5, which it also carries.
#include "codegen/nvidia/registers/recompute.h"
#include "derived/codegen/one_operation.h"

#include <gtest/gtest.h>

namespace forewarp::codegen {
namespace {

using facts::OpClass;
using testing::operation;

struct Multiples {
  facts::MachineProgram program;
  Flow flow{{{1}, {1}}};
  std::vector<std::uint8_t> sizes = std::vector<std::uint8_t>(6, 1);

  Multiples() {
    program.value_count = 6;
    program.blocks.resize(2);
    program.blocks[0].ops = {operation(OpClass::move, {}, 0), operation(OpClass::move, {}, 5)};
    for (std::uint32_t value = 1; value <= 4; ++value) {
      program.blocks[0].ops.push_back(operation(OpClass::int_mul, {0}, value));
      program.blocks[1].ops.push_back(operation(OpClass::int_add, {5, value}, 5));
    }
    program.blocks[1].ops.push_back(operation(OpClass::int_add, {5, 0}, 5));
  }
  Liveness live() const { return liveness(program, flow); }
};

// Six are live in the loop. Made again, each beside values 0 and 5, they are three.
TEST(RecomputeOffsets, InALoopThatHoldsTooMuch) {
  Multiples kernel;
  EXPECT_EQ(peak_pressure(kernel.program, kernel.live(), 1, kernel.sizes), 6U);
  EXPECT_TRUE(recompute_offsets(kernel.program, kernel.live(), kernel.sizes, 5));
  EXPECT_EQ(kernel.program.blocks[1].ops.size(), 5U + 4U);
  EXPECT_EQ(peak_pressure(kernel.program, kernel.live(), 1, kernel.sizes), 3U);
}

TEST(RecomputeOffsets, NotWhereRegistersAreFree) {
  Multiples kernel;
  EXPECT_FALSE(recompute_offsets(kernel.program, kernel.live(), kernel.sizes, 6));
  EXPECT_EQ(kernel.program.blocks[1].ops.size(), 5U);
}

// Value 1 is of two values now, a phi reads value 2, value 3 is written twice: only value 4 is left.
TEST(RecomputeOffsets, OnlyOfOneValueMadeOnce) {
  Multiples kernel;
  kernel.program.blocks[0].ops[2] = operation(OpClass::int_add, {0, 5}, 1);
  kernel.program.blocks[1].phis = {{.previous_block = 0, .destination = 5, .source = 2}};
  kernel.program.blocks[0].ops.push_back(operation(OpClass::int_add, {0}, 3));
  EXPECT_TRUE(recompute_offsets(kernel.program, kernel.live(), kernel.sizes, 5));
  EXPECT_EQ(kernel.program.blocks[1].ops.size(), 5U + 1U);
}

} // namespace
} // namespace forewarp::codegen
