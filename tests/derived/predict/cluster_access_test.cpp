// Shared memory of another group of the cluster, worked by hand with Hopper's values: 180 cycles from SM to
// SM for 30 of the own shared memory, 14 bytes a cycle.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

pipeline::Instruction access(float other_group_share, facts::OpClass op = facts::OpClass::load_shared) {
  gpu::Machine machine;
  machine.memory.shared_latency_cycles = 30;
  machine.memory.cluster_latency_cycles = 180;
  machine.memory.cluster_bytes_per_cycle = 14;
  return testing::instruction_of(
      {.op = op,
       .site = {.space = facts::MemorySpace::shared, .width_bytes = 4},
       .event = {.space = facts::MemorySpace::shared, .active = testing::all_lanes},
       .outcome = {.transactions = 1, .other_group_share = other_group_share}},
      machine);
}

// The words of 32 lanes are 128 bytes.
TEST(ClusterAccess, GoesOverTheNetworkBetweenSms) {
  EXPECT_FLOAT_EQ(access(1).latency_cycles, 180);
  EXPECT_NEAR(access(1).server_cycles[l1_to_l2_port], 128.0 / 14, 1e-4);
  EXPECT_FLOAT_EQ(access(0).latency_cycles, 30);
  EXPECT_FLOAT_EQ(access(0).server_cycles[l1_to_l2_port], 0);
}

// A quarter of the lanes: as late as the last of them, a quarter of the bytes.
TEST(ClusterAccess, OfSomeLanes) {
  EXPECT_FLOAT_EQ(access(0.25).latency_cycles, 180);
  EXPECT_NEAR(access(0.25).server_cycles[l1_to_l2_port], 32.0 / 14, 1e-4);
}

TEST(ClusterAccess, StoresAndAtomicsToo) {
  EXPECT_NEAR(access(1, facts::OpClass::store_shared).server_cycles[l1_to_l2_port], 128.0 / 14, 1e-4);
  EXPECT_NEAR(access(1, facts::OpClass::atomic_shared).server_cycles[l1_to_l2_port], 128.0 / 14, 1e-4);
}

} // namespace
} // namespace forewarp::predict::hybrid
