// What a store takes of L2, worked by hand: 32 lanes, sectors of 32 B, 64 B of L2 a cycle for the SM.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

double l2_cycles(double sectors, std::uint64_t active, std::uint32_t lane_bytes, double slots,
                 float lines = 0) {
  gpu::Machine machine;
  machine.memory.l2_partial_write_slots = slots;
  const auto each = static_cast<float>(sectors);
  return testing::instruction_of(
             {.op = facts::OpClass::store_global,
              .site = {.kind = facts::AccessKind::store, .width_bytes = lane_bytes},
              .event = {.active = active},
              .outcome = {.transactions = each, .sectors = each, .l2_sectors = each, .lines = lines}},
             machine, {.l2_bytes_per_cycle = 64})
      .server_cycles[l2_share];
}

TEST(PartialWrites, WholeSectorsTakeTheirBytes) {
  EXPECT_FLOAT_EQ(l2_cycles(4, testing::all_lanes, 4, 3), 4 * 32 / 64.0);
  EXPECT_FLOAT_EQ(l2_cycles(32, testing::all_lanes, 32, 3), 32 * 32 / 64.0);
}

// Each lane in a sector of its own: 32 writes of 4 B, each in the time of three sectors.
TEST(PartialWrites, AColumnTakesTheSlotsOfEachSector) {
  EXPECT_FLOAT_EQ(l2_cycles(32, testing::all_lanes, 4, 3), 3 * 32 * 32 / 64.0);
  EXPECT_FLOAT_EQ(l2_cycles(32, testing::all_lanes, 4, 1), 32 * 32 / 64.0);
}

// Lanes 32 B apart, four of them in each of 8 lines: the 32 sectors, and two more slots a line.
TEST(PartialWrites, NeighboursInALineGoTogether) {
  EXPECT_FLOAT_EQ(l2_cycles(32, testing::all_lanes, 4, 3, 8), (32 + 2 * 8) * 32 / 64.0);
  EXPECT_FLOAT_EQ(l2_cycles(32, testing::all_lanes, 4, 3, 32), 3 * 32 * 32 / 64.0);
  EXPECT_FLOAT_EQ(l2_cycles(5, testing::all_lanes, 4, 3, 2), (5 + 2 * 32 / 28.0) * 32 / 64.0);
}

// A row that starts 4 B into a sector: 3 whole sectors and two of 28 + 4 B. 5 x 32 - 128 = 32 B are missing,
// by the rule's reckoning 32 / 28 of a sector.
TEST(PartialWrites, AnUnalignedRowHasOneOrTwo) {
  EXPECT_FLOAT_EQ(l2_cycles(5, testing::all_lanes, 4, 3), (5 + 2 * 32 / 28.0) * 32 / 64.0);
}

} // namespace
} // namespace forewarp::predict::hybrid
