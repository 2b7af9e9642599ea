// What a read-only load takes of the texture pipe, worked by hand: units that fetch 8 words a cycle (4 cycles
// for 32 lanes of 4 bytes), sectors of 8 words.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

double pipe_cycles(std::uint64_t active, std::uint32_t lane_bytes, float sectors, bool unified = false) {
  gpu::Machine machine;
  machine.memory.l1.present = true;
  machine.memory.texture_units_read = !unified;
  machine.memory.l1_bytes_per_cycle_per_sm = 64;
  machine.ops[static_cast<std::size_t>(facts::OpClass::load_texture)].issue_cycles = 4;
  return testing::instruction_of(
             {.site = {.kind = facts::AccessKind::load, .width_bytes = lane_bytes, .read_only_path = true},
              .event = {.active = active},
              .outcome = {.transactions = 4, .sectors = sectors}},
             machine)
      .lambda_cycles;
}

constexpr std::uint64_t all = testing::all_lanes;

// 32 lanes in 4 sectors, in 16 and in 32: 32 words, 8 a cycle. 64 words at 8 bytes a lane.
TEST(TextureLoads, TakeTheirLanesWhereverTheyLook) {
  EXPECT_FLOAT_EQ(pipe_cycles(all, 4, 4), 4);
  EXPECT_FLOAT_EQ(pipe_cycles(all, 4, 16), 4);
  EXPECT_FLOAT_EQ(pipe_cycles(all, 4, 32), 4);
  EXPECT_FLOAT_EQ(pipe_cycles(all, 8, 8), 8);
  EXPECT_FLOAT_EQ(pipe_cycles(0xffff, 4, 16), 2);
}

// One address for all lanes: one word is fetched; registers take a cycle a word. 16 bytes: 8 words, 4 cycles.
TEST(TextureLoads, OfOneAddressAreFetchedOnce) {
  EXPECT_FLOAT_EQ(pipe_cycles(all, 4, 1), 1);
  EXPECT_FLOAT_EQ(pipe_cycles(all, 16, 1), 4);
}

// A unified L1 goes by sectors: 16 of 32 bytes, 64 bytes a cycle.
TEST(TextureLoads, NotWhereL1SharesItsArray) {
  EXPECT_FLOAT_EQ(pipe_cycles(all, 4, 16, true), 8);
}

} // namespace
} // namespace forewarp::predict::hybrid
