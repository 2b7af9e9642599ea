// Where the spills of a wave hit: reuse distances worked by hand.
//
// One SM of two resident waves of 32 lanes: 64 lanes. L1 of 1024 B holds 16 B of each lane's frame, L2 of
// 4096 B holds 64 B.
#include "memory/l1/spills.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

using facts::OpClass;

gpu::Machine machine() {
  gpu::Machine made;
  made.vendor = "amd";
  made.sm_count = 1;
  made.warp_width = 32;
  made.memory.l1.present = made.memory.l2.present = true;
  made.memory.l1.size_bytes = 1024;
  made.memory.l1.line_bytes = 128;
  made.memory.l2.size_bytes = 4096;
  return made;
}

facts::MachineOp spill(OpClass op, std::int32_t slot) {
  facts::MachineOp made;
  made.op = op;
  made.width_bytes = 4;
  made.offset_bytes = 4 * slot;
  return made;
}

facts::MachineProgram stores_then_loads(int slots, int rounds_of_loads = 1) {
  facts::MachineProgram program;
  program.resources.spill_bytes_per_thread = 4.0 * slots;
  facts::MachineBlock block;
  for (int s = 0; s < slots; ++s)
    block.ops.push_back(spill(OpClass::store_local, s));
  for (int round = 0; round < rounds_of_loads; ++round)
    for (int s = 0; s < slots; ++s)
      block.ops.push_back(spill(OpClass::load_local, s));
  program.blocks.push_back(block);
  return program;
}

const FrameSharing two_waves = {2, 32, 1024};

// 4 slots = 16 B a lane. A load finds its slot 12 B ago: in L2, not in L1, which stores leave out. The second
// load of a slot is 12 B after the first: in L1.
TEST(Spills, AFrameThatFitsL1IsReadFromL2Once) {
  const auto program = stores_then_loads(4, 2);
  const auto out = spill_outcomes(program, machine(), two_waves, 32);
  EXPECT_FLOAT_EQ(out[0][0].sectors, 4); // 32 lanes x 4 B
  EXPECT_FLOAT_EQ(out[0][0].l2_sectors, 4);
  EXPECT_FLOAT_EQ(out[0][0].dram_sectors, 0);
  EXPECT_FLOAT_EQ(out[0][4].l2_sectors, 4);
  EXPECT_FLOAT_EQ(out[0][4].dram_sectors, 0);
  EXPECT_FLOAT_EQ(out[0][8].l2_sectors, 0);
}

// 32 slots = 128 B a lane, more than L2's 64: 31 x 4 = 124 B lie between a store and its load, so that loads
// come from DRAM and stores go there.
TEST(Spills, AFrameBeyondL2GoesToDram) {
  const auto program = stores_then_loads(32);
  auto out = spill_outcomes(program, machine(), two_waves, 32);
  EXPECT_FLOAT_EQ(out[0][0].dram_sectors, 4);
  EXPECT_FLOAT_EQ(out[0][32].dram_sectors, 4);
  // A memory-side cache of 16 KiB (256 B a lane) holds the frames.
  gpu::Machine with_l3 = machine();
  with_l3.memory.l3.present = true;
  with_l3.memory.l3.size_bytes = 16384;
  out = spill_outcomes(program, with_l3, two_waves, 32);
  EXPECT_FLOAT_EQ(out[0][0].dram_sectors, 0);
  EXPECT_FLOAT_EQ(out[0][0].l3_sectors, 4);
  EXPECT_FLOAT_EQ(out[0][32].l3_sectors, 4);
  // Waves of which a group fills four lanes: 8 x 64 B a lane, L2 holds it.
  out = spill_outcomes(program, machine(), {2, 4, 1024}, 32);
  EXPECT_FLOAT_EQ(out[0][0].sectors, 0.5F);
  EXPECT_FLOAT_EQ(out[0][32].dram_sectors, 0);
}

// 3 groups of one warp that runs the block twice: 3 x 2 x 32 spills x 128 B each way.
TEST(Spills, TrafficIsTheGridsWhole) {
  const auto program = stores_then_loads(32);
  facts::KernelTrace trace;
  facts::WarpTrace warp;
  warp.steps.resize(2);
  facts::GroupTrace group;
  group.warps.push_back(warp);
  trace.groups.push_back(group);
  facts::BehaviourClass all;
  all.samples = {0};
  all.weight_groups = 3;
  trace.classes.push_back(all);
  trace.shape.group_size = {32, 1, 1};
  facts::Occupancy occupancy;
  occupancy.active_warps_per_sm = 2;
  facts::MemoryProfile profile;
  add_spill_traffic(program, trace, machine(), occupancy, profile);
  EXPECT_DOUBLE_EQ(profile.dram_bytes_read, 3 * 2 * 32 * 128);
  EXPECT_DOUBLE_EQ(profile.dram_bytes_written, 3 * 2 * 32 * 128);
  EXPECT_DOUBLE_EQ(profile.l2_bytes_read, 3 * 2 * 32 * 128);
}

// NVIDIA's L1 keeps what is stored: the first load hits it, too, where the frame's 16 B a lane fit.
TEST(Spills, StoresStayInNvidiasL1) {
  gpu::Machine nvidia = machine();
  nvidia.vendor = "nvidia";
  const auto program = stores_then_loads(4);
  const auto out = spill_outcomes(program, nvidia, two_waves, 32);
  EXPECT_FLOAT_EQ(out[0][0].l2_sectors, 4); // written through
  EXPECT_FLOAT_EQ(out[0][4].l2_sectors, 0);
}

// Replacement at random. 8 slots in a circle: 28 B of others lie between two uses of one, 16 B of each lane
// fit. The share m that comes in solves m = 1 - exp(-28 m / 16): 0.713. What fits comes in never.
TEST(Spills, ReplacementAtRandomKeepsAPartOfALargerCircle) {
  gpu::Machine nvidia = machine();
  nvidia.vendor = "nvidia";
  nvidia.memory.l1_replacement = "random";
  const auto out = spill_outcomes(stores_then_loads(8), nvidia, two_waves, 32);
  EXPECT_FLOAT_EQ(out[0][0].l2_sectors, 4); // written through
  EXPECT_NEAR(out[0][8].l2_sectors, 4 * 0.713, 4e-3);
  EXPECT_NEAR(spill_outcomes(stores_then_loads(4), nvidia, two_waves, 32)[0][4].l2_sectors, 0, 1e-3);
}

TEST(Spills, AccessesWithASiteAreNone) {
  facts::MachineOp op = spill(OpClass::load_local, 0);
  EXPECT_TRUE(is_spill(op));
  op.site = 0;
  EXPECT_FALSE(is_spill(op));
}

} // namespace
} // namespace forewarp::memory
