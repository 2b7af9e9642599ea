// Launches that cannot be resident are refused, and the message names what was asked and what there is.
#include "analysis/occupancy.h"

#include <gtest/gtest.h>

namespace forewarp::analysis {
namespace {

gpu::Machine machine() {
  gpu::Machine gpu;
  gpu.name = "test GPU";
  gpu.sm_count = 10;
  return gpu;
}

Result<facts::Occupancy> of(facts::Dim3 group, double registers, std::uint64_t static_shared,
                            std::uint64_t dynamic = 0, std::uint64_t local_arguments = 0) {
  facts::ResourceUse use;
  use.registers_per_thread = registers;
  use.static_shared_bytes = static_shared;
  facts::LaunchShape shape;
  shape.groups = {1000, 1, 1};
  shape.group_size = group;
  shape.dynamic_shared_bytes = dynamic;
  shape.local_argument_bytes = local_arguments;
  return occupancy(machine(), use, shape);
}

TEST(OccupancyErrors, GroupLargerThanTheGpuAllows) {
  const auto result = of({32, 33, 1}, 16, 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::launch);
  EXPECT_EQ(result.error().message,
            "a group of 1056 work-items is larger than the 1024 that test GPU allows");
}

TEST(OccupancyErrors, OverflowingGroupSizeIsStillTooLarge) {
  const auto result = of({1ULL << 32, 1ULL << 32, 1}, 16, 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::launch);
}

TEST(OccupancyErrors, EmptyGroup) {
  EXPECT_FALSE(of({0, 1, 1}, 16, 0));
}

TEST(OccupancyErrors, TooMuchSharedMemory) {
  const auto result = of({256, 1, 1}, 16, 40000, 9153);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "a group needs 49153 bytes of shared memory (40000 static, 9153 "
                                    "dynamic, 0 of `local` arguments); test GPU has 49152 for a group");
}

TEST(OccupancyErrors, LocalArgumentsAreSharedMemoryToo) {
  const auto result = of({256, 1, 1}, 16, 40000, 0, 9153);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "a group needs 49153 bytes of shared memory (40000 static, 0 "
                                    "dynamic, 9153 of `local` arguments); test GPU has 49152 for a group");
}

TEST(OccupancyErrors, SharedMemoryWhoseSumOverflowsIsMoreThanItsLargestPart) {
  const auto result = of({256, 1, 1}, 16, 16, UINT64_MAX - 10, 16);
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().message.starts_with("a group needs more than 18446744073709551605 bytes"));
}

TEST(OccupancyErrors, OverflowingSharedMemory) {
  EXPECT_FALSE(of({256, 1, 1}, 16, 40000, UINT64_MAX - 10));
}

TEST(OccupancyErrors, RegistersThatNoSmHolds) {
  const auto result = of({1024, 1, 1}, 90, 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, "registers");
}

TEST(Occupancy, NoRegistersAndNoSharedMemoryDoNotLimit) {
  const auto result = of({1024, 1, 1}, 0, 0);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->active_groups_per_sm, 2U);
  EXPECT_EQ(result->groups_by_registers, result->groups_by_groups);
}

/// 1024 work-items have 64 registers each out of 65536. An estimate of 80 may be a quarter too high, one of
/// 81 is not, and registers that somebody gave are believed.
TEST(OccupancyErrors, EstimateThatMissesByAQuarterIsTakenToFit) {
  facts::LaunchShape shape;
  shape.groups = {1000, 1, 1};
  shape.group_size = {1024, 1, 1};
  gpu::Machine gpu = machine();
  gpu.limits.registers_per_sm = 65536;
  facts::ResourceUse use;
  use.registers_per_thread = 80;
  const auto fits = occupancy(gpu, use, shape);
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->active_groups_per_sm, 1U);
  EXPECT_EQ(registers_taken(gpu, use, shape), 64U);
  use.source = "given";
  EXPECT_FALSE(occupancy(gpu, use, shape));
  EXPECT_FALSE(registers_taken(gpu, use, shape));
  use.source = "estimate";
  use.registers_per_thread = 81;
  EXPECT_FALSE(occupancy(gpu, use, shape));
}

} // namespace
} // namespace forewarp::analysis
