// A store of a GPU whose warps wait for their stores (AMD's s_endpgm): it holds its warp until L2 has it.
// Stores to shared memory never do, and on other GPUs no store does.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

pipeline::Instruction store(bool held, facts::OpClass op, facts::MemorySpace space) {
  gpu::Machine machine;
  machine.memory.stores_hold_warps = held;
  machine.memory.l1_latency_cycles = 120;
  machine.memory.l2_latency_cycles = 240;
  machine.memory.dram_latency_cycles = 650;
  machine.memory.store_latency_cycles = 470;
  facts::MachineProgram program;
  program.sites.push_back({.kind = facts::AccessKind::store, .width_bytes = 8});
  program.blocks.push_back({.ops = {{.op = op, .site = 0}}, .memory_sites = 1});
  const StreamTemplates templates(program, machine, {}, {}, 32);
  pipeline::Instruction out = templates.block(0).front().instruction;
  templates.apply(templates.block(0).front(), {.space = space, .active = testing::all_lanes},
                  {.transactions = 1, .sectors = 8, .l2_sectors = 8, .dram_sectors = 8}, out);
  return out;
}

TEST(HeldStores, HoldTheirWarpUntilL2HasThem) {
  const pipeline::Instruction held = store(true, facts::OpClass::store_global, facts::MemorySpace::global);
  EXPECT_FALSE(held.posted);
  EXPECT_FLOAT_EQ(held.latency_cycles, 470); // not 650: DRAM gets it later
}

TEST(HeldStores, OthersArePosted) {
  EXPECT_TRUE(store(false, facts::OpClass::store_global, facts::MemorySpace::global).posted);
  EXPECT_TRUE(store(true, facts::OpClass::store_shared, facts::MemorySpace::shared).posted);
}

} // namespace
} // namespace forewarp::predict::hybrid
