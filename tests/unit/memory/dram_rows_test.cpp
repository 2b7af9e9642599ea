// Rows opened and time lost in DRAM, on accesses whose answer is known.
#include "memory/dram/dram_rows.h"

#include <gtest/gtest.h>

namespace forewarp::memory {
namespace {

/// 8 KB rows, 64-byte bursts, a window of 64; an activation takes as long as 160 bytes.
gpu::MemoryTiming timing() {
  gpu::MemoryTiming memory;
  memory.dram_peak_gbps = 16;
  memory.dram_rows = {.known = true,
                      .row_bytes = 8192,
                      .burst_bytes = 64,
                      .channels = 1,
                      .outstanding_requests = 64,
                      .activation_ns = 10};
  return memory;
}

TEST(DramRows, UnknownDramOpensNothing) {
  gpu::MemoryTiming memory = timing();
  memory.dram_rows.known = false;
  DramRowCounter counter(memory, 1, 1);
  counter.add(0, 7, 15);
  EXPECT_EQ(counter.finish()[0].rows_opened, 0);
  EXPECT_EQ(counter.finish()[0].extra_bytes, 0);
}

TEST(DramRows, StreamOpensRowsAndLosesNothing) {
  DramRowCounter counter(timing(), 1, 1);
  for (std::uint64_t block = 0; block < 640; ++block) // 80 KB: ten rows, 20 windows of 32 blocks
    counter.add(0, block, 15);
  const DramRowUse use = counter.finish()[0];
  EXPECT_EQ(use.rows_opened, 20); // two windows a row
  EXPECT_EQ(use.extra_bytes, 0);  // 160 bytes an activation, 4096 moved
}

TEST(DramRows, EverySectorInARowOfItsOwn) {
  DramRowCounter counter(timing(), 1, 1);
  for (std::uint64_t i = 0; i < 640; ++i)
    counter.add(0, i * 128, 1); // 16 KB apart
  const DramRowUse use = counter.finish()[0];
  EXPECT_DOUBLE_EQ(use.rows_opened, 640);
  EXPECT_DOUBLE_EQ(use.extra_bytes, 640 * (160 - 32)); // 32 of 160 bytes were wanted
}

TEST(DramRows, HalvesOfABurstComeTogether) {
  DramRowCounter counter(timing(), 1, 2);
  counter.add(0, 3, 1);
  counter.add(1, 3, 2);
  for (std::uint64_t block = 4; block < 36; ++block) // 1 + 64 bursts: the window is full
    counter.add(1, block, 15);
  EXPECT_EQ(counter.finish()[0].extra_bytes, 0);
}

TEST(DramRows, HalfABurstIsWasted) {
  DramRowCounter counter(timing(), 1, 1);
  for (std::uint64_t block = 0; block < 64; ++block)
    counter.add(0, block, 1);
  EXPECT_DOUBLE_EQ(counter.finish()[0].extra_bytes, 64 * 32);
}

TEST(DramRows, GroupsThatDriftOpenARowEach) {
  // 64 groups read 64 bytes each, side by side: 4 KB of one row of 8 KB.
  gpu::MemoryTiming memory = timing();
  const auto use = [&memory] {
    DramRowCounter counter(memory, 1, 1);
    for (std::uint64_t group = 0; group < 64; ++group)
      counter.add(0, group / 2, group % 2 == 0 ? 3 : 12, group);
    return counter.finish()[0];
  };
  EXPECT_EQ(use().rows_opened, 1);
  EXPECT_EQ(use().extra_bytes, 0);
  memory.dram_rows.sm_bursts = 16;
  EXPECT_EQ(use().rows_opened, 64);
  EXPECT_EQ(use().extra_bytes, 64 * (160 - 64)); // an activation takes as long as 160 bytes
}

TEST(DramRows, SampledAccessesStandForAll) {
  // 64 bursts in 64 rows, or in 4 rows of 16: a quarter looked at.
  EXPECT_NEAR(rows_of_all(16, 16, 64), 64, 0.1);
  // 4 rows, each missed with 0.75^16 = 0.01: 3.96 seen.
  EXPECT_NEAR(rows_of_all(3.96, 16, 64), 4, 0.05);
  EXPECT_EQ(rows_of_all(3, 16, 16), 3);
  EXPECT_EQ(rows_of_all(0, 0, 64), 0);
  DramRowCounter counter(timing(), 4, 1);
  counter.weigh(3);
  for (std::uint64_t i = 0; i < 160; ++i)
    counter.add(0, i * 128, 1);
  EXPECT_NEAR(counter.finish()[0].rows_opened, 3 * 640, 3);
}

TEST(DramRows, LinesOfOnePieceAreOneLook) {
  // A quarter of the pieces is looked at, both lines of each: every piece of 256 bytes lies in a row of its
  // own.
  DramRowCounter counter(timing(), 4, 1);
  for (std::uint64_t i = 0; i < 160; ++i)
    for (const std::uint64_t line : {0, 1})
      counter.add(0, i * 128 + line, 15);
  EXPECT_NEAR(counter.finish()[0].rows_opened, 640, 1);
}

TEST(DramRows, ChannelsOpenRowsByThemselves) {
  gpu::MemoryTiming memory = timing();
  memory.dram_rows.channels = 4;
  DramRowCounter counter(memory, 1, 1);
  for (std::uint64_t i = 0; i < 256; ++i) // one window of four channels
    counter.add(0, i * 1024 + i % 4 * 2, 1);
  const DramRowUse use = counter.finish()[0];
  EXPECT_DOUBLE_EQ(use.rows_opened, 256);
  EXPECT_DOUBLE_EQ(use.extra_bytes,
                   256 * (64 - 32)); // 40 bytes of all channels' time: the bursts take longer
}

} // namespace
} // namespace forewarp::memory
