// Occupancy worked by hand for one GPU of each set of rules, from the numbers of its GPU file.
#include "analysis/occupancy.h"
#include "gpu/gpu_file.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace forewarp::analysis {
namespace {

gpu::Machine machine(const std::string& name) {
  static const auto catalogue =
      gpu::Catalogue::load(std::filesystem::path(FOREWARP_SOURCE_DIR) / "data" / "gpus");
  return *gpu::resolve(catalogue->find(name)->file);
}

facts::Occupancy of(const std::string& gpu, unsigned threads, double registers,
                    std::uint64_t shared_bytes = 0, std::uint64_t groups = 1000000) {
  facts::ResourceUse use;
  use.registers_per_thread = registers;
  use.static_shared_bytes = shared_bytes;
  facts::LaunchShape shape;
  shape.groups = {groups, 1, 1};
  shape.group_size = {threads, 1, 1};
  const auto result = occupancy(machine(gpu), use, shape);
  EXPECT_TRUE(result) << to_string(result.error());
  return result.value_or(facts::Occupancy{});
}

// 8 warps x 32 x 10 = 2560 registers a group; 8192 / 2560 = 3; 24 / 8 = 3 groups by warps.
TEST(OccupancyTesla, TenRegistersFillTheSm) {
  const auto result = of("8800 GTX", 256, 10);
  EXPECT_EQ(result.active_groups_per_sm, 3U);
  EXPECT_EQ(result.limiter, "warps");
  EXPECT_DOUBLE_EQ(result.fraction, 1.0);
  EXPECT_EQ(result.next_step, "");
}

// 8 x 32 x 11 = 2816, a multiple of 256; 8192 / 2816 = 2.
TEST(OccupancyTesla, ElevenRegistersLoseAThird) {
  const auto result = of("8800 GTX", 256, 11);
  EXPECT_EQ(result.active_groups_per_sm, 2U);
  EXPECT_EQ(result.limiter, "registers");
  EXPECT_EQ(result.next_step, "1 register fewer per thread gives one more group");
}

// 3 warps count as 4 (allocation by two): 4 x 32 x 16 = 2048, 8192 / 2048 = 4 (and not 8192 / 1536 = 5).
TEST(OccupancyTesla, WarpsAreRoundedUpForRegisters) {
  EXPECT_EQ(of("8800 GTX", 96, 16).groups_by_registers, 4U);
}

// 21 x 32 = 672 -> 704 (steps of 64); half of the file 16384 / 704 = 23 warps, two halves 46; 46 / 6 = 7.
// With 20: 640, 25 warps a half, 50 / 6 = 8.
TEST(OccupancyFermi, RegistersPerWarpInTwoHalves) {
  const auto result = of("C2050", 192, 21);
  EXPECT_EQ(result.active_groups_per_sm, 7U);
  EXPECT_EQ(result.active_warps_per_sm, 42U);
  EXPECT_EQ(result.next_step, "1 register fewer per thread gives one more group");
}

// 16 groups of 2 warps are 32 of 64 warps; 16 groups of 3 are 48.
TEST(OccupancyKepler, SmallGroupsMeetTheGroupLimit) {
  const auto result = of("K40", 64, 20);
  EXPECT_EQ(result.active_groups_per_sm, 16U);
  EXPECT_EQ(result.limiter, "groups");
  EXPECT_DOUBLE_EQ(result.fraction, 0.5);
  EXPECT_EQ(result.next_step, "groups of 96 work-items give 48 warps instead of 32");
}

// 20000 -> 20224 (steps of 256); 98304 / 20224 = 4. Five groups: 98304 / 5 = 19660 -> 19456, 544 bytes less.
TEST(OccupancyPascal, SharedMemoryInStepsOf256) {
  const auto result = of("GTX 1060", 256, 20, 20000);
  EXPECT_EQ(result.active_groups_per_sm, 4U);
  EXPECT_EQ(result.limiter, "shared_memory");
  EXPECT_EQ(result.next_step, "544 bytes less shared memory per group give one more group");
}

// 33 x 32 = 1056 -> 1280; a quarter 16384 / 1280 = 12 warps, 48 in all, / 8 = 6. With 32: 16 a quarter, 64 /
// 8 = 8.
TEST(OccupancyVolta, OneRegisterTooMany) {
  const auto result = of("V100", 256, 33);
  EXPECT_EQ(result.active_groups_per_sm, 6U);
  EXPECT_DOUBLE_EQ(result.fraction, 0.75);
  EXPECT_EQ(result.next_step, "1 register fewer per thread gives 2 more groups");
}

// 35 needs 3 fewer: every count from 33 to 40 takes 1280 registers a warp.
TEST(OccupancyVolta, StepsOfEightRegisters) {
  EXPECT_EQ(of("V100", 256, 35).next_step, "3 registers fewer per thread give 2 more groups");
}

// 32768 + 1024 reserved = 33792, 167936 / 33792 = 4 (without the reservation 5).
// Five: 167936 / 5 = 33587 -> 33536 - 1024 = 32512, 256 bytes less.
TEST(OccupancyAmpere, TheSystemTakesAKilobyteOfEachGroup) {
  const auto result = of("A100", 256, 32, 32768);
  EXPECT_EQ(result.active_groups_per_sm, 4U);
  EXPECT_EQ(result.limiter, "shared_memory");
  EXPECT_EQ(result.next_step, "256 bytes less shared memory per group give one more group");
}

// 48 warps / 32 = 1 group, 32 warps; two groups of 24 warps fill the SM.
TEST(OccupancyAmpere, FifteenHundredThreadsDoNotTakeTwoOfAThousand) {
  const auto result = of("RTX 3090", 1024, 32);
  EXPECT_EQ(result.active_groups_per_sm, 1U);
  EXPECT_EQ(result.limiter, "warps");
  EXPECT_EQ(result.next_step, "groups of 768 work-items give 48 warps instead of 32");
}

// 65 -> 72 VGPRs (steps of 8); 512 / 72 = 7 waves a SIMD, 28 a CU; groups of 4 waves: 7.
TEST(OccupancyCdna2, WavesPerSimd) {
  const auto result = of("MI210", 256, 65);
  EXPECT_EQ(result.active_groups_per_sm, 7U);
  EXPECT_EQ(result.limiter, "registers");
  EXPECT_EQ(result.next_step, "1 register fewer per thread gives one more group");
}

// 25 -> 28 VGPRs (steps of 4); 256 / 28 = 9 waves of at most 10 a SIMD; 36 / 4 = 9 groups.
TEST(OccupancyGcn, TenWavesPerSimdNeedTwentyFourRegisters) {
  EXPECT_EQ(of("R9 380", 256, 25).active_groups_per_sm, 9U);
  EXPECT_EQ(of("R9 380", 256, 24).active_groups_per_sm, 10U);
}

// 100 groups on 80 SMs: the busiest has 2 of the 8 that fit; 8 x 80 - 100 = 540 more fill all.
TEST(OccupancyGrid, ASmallGridLimits) {
  const auto result = of("V100", 256, 32, 0, 100);
  EXPECT_EQ(result.active_groups_per_sm, 2U);
  EXPECT_EQ(result.limiter, "grid");
  EXPECT_EQ(result.next_step, "540 more groups in the grid fill all 80 multiprocessors");
}

} // namespace
} // namespace forewarp::analysis
