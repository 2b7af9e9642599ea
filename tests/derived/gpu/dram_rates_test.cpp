// DRAM rates with many arrays at like offsets, worked by hand.
#include "gpu/dram_rates.h"

#include <gtest/gtest.h>

namespace forewarp::gpu {
namespace {

MemoryTiming board() {
  MemoryTiming memory;
  memory.dram_read_gbps = 1200;
  memory.dram_write_gbps = memory.dram_copy_gbps = 1000;
  memory.dram_arrays_read_gbps = 600;
  memory.dram_arrays_write_gbps = 800;
  return memory;
}

// Reads alone: as one array up to four, half of the rate with 16 and more. Eight lie half way by the
// logarithm: the mean of 1/1200 and 1/600, so 800 GB/s.
TEST(DramRates, ManyArraysAtLikeOffsets) {
  EXPECT_DOUBLE_EQ(dram_rates(board(), 1, 0).read_gbps, 1200);
  EXPECT_DOUBLE_EQ(dram_rates(board(), 1, 0, 4).read_gbps, 1200);
  EXPECT_DOUBLE_EQ(dram_rates(board(), 1, 0, 8).read_gbps, 800);
  EXPECT_DOUBLE_EQ(dram_rates(board(), 1, 0, 16).read_gbps, 600);
  EXPECT_DOUBLE_EQ(dram_rates(board(), 1, 0, 38).read_gbps, 600);
  EXPECT_DOUBLE_EQ(dram_rates(board(), 0, 1, 16).write_gbps, 800);
}

// Turning the bus around costs what it costs with one array: 1000 / (2 / (1/1200 + 1/1000)) = 11/12 at half
// and half.
TEST(DramRates, TurnaroundIsThatOfOneArray) {
  const DramRates rates = dram_rates(board(), 1, 1, 16);
  EXPECT_DOUBLE_EQ(rates.read_gbps, 600 * 11.0 / 12);
  EXPECT_DOUBLE_EQ(rates.write_gbps, 800 * 11.0 / 12);
}

// A file that says nothing: as with one array, whatever their number.
TEST(DramRates, WithoutAMeasurementNothingIsLost) {
  MemoryTiming memory = board();
  memory.dram_arrays_read_gbps = memory.dram_arrays_write_gbps = 0;
  EXPECT_DOUBLE_EQ(dram_rates(memory, 1, 0, 16).read_gbps, 1200);
}

} // namespace
} // namespace forewarp::gpu
