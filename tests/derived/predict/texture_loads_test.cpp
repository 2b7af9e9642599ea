// What a load by the texture units takes of their pipe, worked by hand: addresses of 16 lanes and 64 bytes of
// L1 a cycle, 8 words that lie alone in their sectors of 32 bytes.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

gpu::Machine texture_units() {
  gpu::Machine machine;
  machine.memory.l1.present = true;
  machine.memory.l1_caches_global = false;
  machine.memory.texture_units_read = true;
  machine.memory.l1_bytes_per_cycle_per_sm = 64;
  machine.memory.scattered_words_per_cycle = 8;
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_texture)].issue_cycles = 4;
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_global)].issue_cycles = 2;
  return machine;
}

double pipe_cycles(const gpu::Machine& machine, std::uint64_t active, std::uint32_t lane_bytes, float sectors,
                   bool read_only = true) {
  return testing::instruction_of({.site = {.kind = facts::AccessKind::load,
                                           .width_bytes = lane_bytes,
                                           .read_only_path = read_only},
                                  .event = {.active = active},
                                  .outcome = {.transactions = 4, .sectors = sectors}},
                                 machine)
      .lambda_cycles;
}

// 32 lanes of 4 bytes in 4 sectors: 128 bytes at 64 a cycle. In 16 and in 32 sectors: 32 words, 8 a cycle.
TEST(TextureLoads, FetchSectorsOrWords) {
  const gpu::Machine machine = texture_units();
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 4), 2);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 16), 4);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 32), 4);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 8, 8), 4);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, 0xffff, 4, 16), 2);
}

// One address for all lanes: registers take 128 and 512 bytes at 64 a cycle.
TEST(TextureLoads, OfOneAddressWriteEveryLanesRegister) {
  const gpu::Machine machine = texture_units();
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 1), 2);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 16, 1), 8);
}

// Kepler: 16 texture units take a lane each (2 cycles), wherever it looks; registers take 128 bytes a cycle.
TEST(TextureLoads, OfKeplerTakeTheirLanes) {
  gpu::Machine machine = texture_units();
  machine.memory.l1_bytes_per_cycle_per_sm = 128;
  machine.memory.scattered_words_per_cycle = 0;
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_texture)].issue_cycles = 2;
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 4), 2);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 32), 2);
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 16, 1), 4);
}

// GP100 keeps plain loads in that cache, too, and they go the same way: 4 cycles, not 16 sectors at 64 bytes
// a cycle. So does not a load that goes by another unit (Fermi).
TEST(TextureLoads, ArePlainOnesWhereTheirCacheIsL1) {
  gpu::Machine machine = texture_units();
  machine.memory.l1_caches_global = true;
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 16, false), 4);
  machine.units.resize(2);
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_texture)].unit = 1;
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 16, false), 8);
}

/// Of a read that mixes `places` texels of so many bytes in each of 32 lanes, addresses and data apart: they
/// are fast.
double mixing_cycles(unsigned places, unsigned texel_bytes, double a_cycle, double bytes) {
  gpu::Machine machine = texture_units();
  machine.memory.filtered_per_cycle = a_cycle;
  machine.memory.filtered_texel_bytes = bytes;
  return testing::instruction_of({.op = facts::OpClass::load_texture,
                                  .site = {.kind = facts::AccessKind::load},
                                  .event = {.space = facts::MemorySpace::texture,
                                            .width_bytes = static_cast<std::uint8_t>(texel_bytes),
                                            .active = testing::all_lanes,
                                            .places = static_cast<std::uint8_t>(places)},
                                  .outcome = {.transactions = 1, .sectors = 4}},
                                 machine)
      .lambda_cycles;
}

// Four texture units, a result each from four texels: 32 lanes take 8 cycles. Eight texels of a volume are
// two turns. Where a unit takes 4 bytes of each, texels of 16 bytes are four turns (GPUOpen: GCN), where it
// takes 8, two.
TEST(TextureLoads, MixTexelsAtTheUnitsRate) {
  EXPECT_FLOAT_EQ(mixing_cycles(4, 4, 4, 8), 8);
  EXPECT_FLOAT_EQ(mixing_cycles(2, 4, 4, 8), 8);
  EXPECT_FLOAT_EQ(mixing_cycles(8, 4, 4, 8), 16);
  EXPECT_FLOAT_EQ(mixing_cycles(4, 16, 4, 8), 16);
  EXPECT_FLOAT_EQ(mixing_cycles(4, 8, 4, 4), 16);
  EXPECT_FLOAT_EQ(mixing_cycles(4, 16, 4, 4), 32);
  EXPECT_FLOAT_EQ(mixing_cycles(1, 16, 4, 4), 4); // the nearest texel is not mixed: 32 addresses, 4 cycles
}

// A unified L1 goes by sectors: 16 of 32 bytes, 64 bytes a cycle.
TEST(TextureLoads, NotWhereL1SharesItsArray) {
  gpu::Machine machine = texture_units();
  machine.memory.texture_units_read = false;
  EXPECT_FLOAT_EQ(pipe_cycles(machine, testing::all_lanes, 4, 16), 8);
}

} // namespace
} // namespace forewarp::predict::hybrid
