// Which values go to the stack frame: small blocks worked by hand.
#include "codegen/nvidia/registers/spills.h"

#include <gtest/gtest.h>

namespace forewarp::codegen {
namespace {

using facts::OpClass;

facts::MachineOp made(OpClass op, std::uint32_t destination, std::vector<std::uint32_t> sources) {
  facts::MachineOp out;
  out.op = op;
  out.destination = destination;
  for (const std::uint32_t source : sources)
    out.sources[out.source_count++] = source;
  return out;
}

struct Moves {
  std::vector<std::uint32_t> stored, loaded;
};

Moves moves_of(const facts::MachineBlock& block) {
  Moves moves;
  for (const facts::MachineOp& op : block.ops)
    if (op.op == OpClass::store_local)
      moves.stored.push_back(op.sources[0]);
    else if (op.op == OpClass::load_local)
      moves.loaded.push_back(op.destination);
  return moves;
}

/// A loop of one block that adds to four sums: values 0..3 at its start, 4..7 at its end.
facts::MachineProgram four_sums() {
  facts::MachineProgram program;
  program.value_count = 8;
  facts::MachineBlock block;
  for (std::uint32_t v = 0; v < 4; ++v) {
    block.phis.push_back({.previous_block = 0, .destination = v, .source = 4 + v});
    block.ops.push_back(made(OpClass::fp32_add, 4 + v, {v}));
  }
  block.ops.push_back(made(OpClass::branch, facts::no_value, {}));
  program.blocks.push_back(block);
  return program;
}

const Flow loop_of_one_block = {{{0}}};

// Three registers hold sums 0, 1, 2 at the start; 3 is in the frame. The fourth addition needs its sum: of
// the new ones, 6 is read last in the next run, so 6 goes and 3 comes. At the end 6 has to be back, for which
// the new sum 7 goes. Two slots of 4 bytes: those of sums 2 and 3.
TEST(Spills, OneSumTooManyCostsTwoStoresAndTwoLoads) {
  facts::MachineProgram program = four_sums();
  const std::vector<std::uint8_t> sizes(8, 1);
  const Liveness live = liveness(program, loop_of_one_block);
  EXPECT_DOUBLE_EQ(place_spills(program, loop_of_one_block, live, sizes, 3), 8);
  const Moves moves = moves_of(program.blocks[0]);
  EXPECT_EQ(moves.stored, (std::vector<std::uint32_t>{6, 7}));
  EXPECT_EQ(moves.loaded, (std::vector<std::uint32_t>{3, 6}));
  EXPECT_EQ(program.blocks[0].ops.back().op, OpClass::branch);
}

TEST(Spills, BlocksThatFitStayAsTheyAre) {
  facts::MachineProgram program = four_sums();
  const std::vector<std::uint8_t> sizes(8, 1);
  const Liveness live = liveness(program, loop_of_one_block);
  EXPECT_DOUBLE_EQ(place_spills(program, loop_of_one_block, live, sizes, 4), 0);
  EXPECT_EQ(program.blocks[0].ops.size(), 5U);
}

// Values 0 and 1 are read by every run and never change: the second was stored before the loop and is only
// loaded. One register: each operation loads what it reads, and nothing is stored.
TEST(Spills, WhatALoopOnlyReadsIsStoredOnce) {
  facts::MachineProgram program;
  program.value_count = 2;
  facts::MachineBlock block;
  block.ops.push_back(made(OpClass::fp32_add, facts::no_value, {0}));
  block.ops.push_back(made(OpClass::fp32_add, facts::no_value, {1}));
  program.blocks.push_back(block);
  const std::vector<std::uint8_t> sizes(2, 1);
  const Liveness live = liveness(program, loop_of_one_block);
  place_spills(program, loop_of_one_block, live, sizes, 1);
  const Moves moves = moves_of(program.blocks[0]);
  EXPECT_TRUE(moves.stored.empty());
  EXPECT_EQ(moves.loaded, (std::vector<std::uint32_t>{1, 0}));
}

// Four registers, six values that were stored before the loop, read in turn: 0 to 3 start in registers. 4
// takes the place of 3, which the next round reads last, and 5 comes right behind it, in the place of 2: both
// are waited for together. At the end 2 and 3 are back.
TEST(Spills, WhatIsWantedNextIsLoadedInARow) {
  facts::MachineProgram program;
  program.value_count = 6;
  facts::MachineBlock block;
  for (std::uint32_t v = 0; v < 6; ++v)
    block.ops.push_back(made(OpClass::fp32_add, facts::no_value, {v}));
  program.blocks.push_back(block);
  const std::vector<std::uint8_t> sizes(6, 1);
  const Liveness live = liveness(program, loop_of_one_block);
  place_spills(program, loop_of_one_block, live, sizes, 4);
  std::vector<OpClass> order;
  for (const facts::MachineOp& op : program.blocks[0].ops)
    order.push_back(op.op);
  const auto add = OpClass::fp32_add, load = OpClass::load_local;
  EXPECT_EQ(order, (std::vector{add, add, add, add, load, load, add, add, load, load}));
  EXPECT_EQ(moves_of(program.blocks[0]).loaded, (std::vector<std::uint32_t>{4, 5, 2, 3}));
}

// A pair of registers is one slot of 8 bytes and one move.
TEST(Spills, PairsMoveTogether) {
  facts::MachineProgram program = four_sums();
  const std::vector<std::uint8_t> sizes(8, 2);
  const Liveness live = liveness(program, loop_of_one_block);
  EXPECT_DOUBLE_EQ(place_spills(program, loop_of_one_block, live, sizes, 6), 16);
  for (const facts::MachineOp& op : program.blocks[0].ops)
    if (op.op == OpClass::store_local) {
      EXPECT_EQ(op.width_bytes, 8U);
    }
}

} // namespace
} // namespace forewarp::codegen
