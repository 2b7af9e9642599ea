// Which spilled values share bytes of the frame: small programs worked by hand.
#include "codegen/nvidia/registers/frame_slots.h"

#include <gtest/gtest.h>

namespace forewarp::codegen {
namespace {

using facts::OpClass;

facts::MachineOp access(OpClass op, std::int32_t slot) {
  facts::MachineOp made;
  made.op = op;
  made.offset_bytes = slot;
  return made;
}
facts::MachineOp store(std::int32_t slot) {
  return access(OpClass::store_local, slot);
}
facts::MachineOp load(std::int32_t slot) {
  return access(OpClass::load_local, slot);
}

facts::MachineProgram program_of(std::vector<std::vector<facts::MachineOp>> blocks) {
  facts::MachineProgram program;
  for (std::vector<facts::MachineOp>& ops : blocks)
    program.blocks.emplace_back().ops = std::move(ops);
  return program;
}

std::vector<std::int32_t> offsets(const facts::MachineBlock& block) {
  std::vector<std::int32_t> all;
  for (const facts::MachineOp& op : block.ops)
    all.push_back(op.offset_bytes);
  return all;
}

const Flow straight = {{{}}};

// Slot 0 is done with when slot 1 is stored; slot 2 is stored while slot 1 is still wanted.
TEST(FrameSlots, SlotsShareBytesWhereTheirTimesDoNotMeet) {
  auto program = program_of({{store(0), load(0), store(1), store(2), load(1), load(2)}});
  EXPECT_EQ(share_slots(program, straight, {4, 4, 4}), 8);
  EXPECT_EQ(offsets(program.blocks[0]), (std::vector{0, 0, 0, 4, 0, 4}));
}

// A pair of registers stands at a multiple of 8 bytes; the word behind it takes the first bytes that are
// free.
TEST(FrameSlots, PairsAreAligned) {
  auto program = program_of({{store(0), store(1), store(2), load(0), load(1), load(2)}});
  EXPECT_EQ(share_slots(program, straight, {4, 8, 4}), 16);
  EXPECT_EQ(offsets(program.blocks[0]), (std::vector{0, 8, 4, 0, 8, 4}));
}

// A loop: slot 0 was filled before it and is read in each round, so that slot 1, which is only used inside of
// a round, may not have its bytes.
TEST(FrameSlots, WhatTheNextRoundReadsIsKept) {
  auto program = program_of({{load(0), store(1), load(1)}});
  EXPECT_EQ(share_slots(program, {{{0}}}, {4, 4}), 8);
  // Stored anew in each round, behind the other's last use: one slot is enough.
  program = program_of({{store(1), load(1), store(0), load(0)}});
  EXPECT_EQ(share_slots(program, {{{0}}}, {4, 4}), 4);
}

// Stored in the first block, loaded in the third: the second, on the way, may not write there.
TEST(FrameSlots, ASlotIsKeptAcrossBlocks) {
  auto program = program_of({{store(0)}, {store(1), load(1)}, {load(0)}});
  EXPECT_EQ(share_slots(program, {{{1}, {2}, {}}}, {4, 4}), 8);
}

TEST(FrameSlots, WithoutSlotsNothingIsMoved) {
  auto program = program_of({{load(0)}});
  program.blocks[0].ops[0].site = 0; // of the source
  EXPECT_EQ(share_slots(program, straight, {}), 0);
  EXPECT_FALSE(is_frame_access(program.blocks[0].ops[0]));
}

} // namespace
} // namespace forewarp::codegen
