// What a global load takes of a sectored L1 (Volta and later), worked by hand: 64 bytes a cycle, as on
// Turing, go to the registers of the lanes, however few words they share. Coulomb sum on RTX 2080 Ti,
// all lanes at one address: 8.3 cycles a load of 16 bytes, 2.1 one of 4.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

double pipe_cycles(std::uint64_t active, std::uint32_t lane_bytes, float sectors, facts::OpClass op) {
  gpu::Machine machine;
  machine.memory.l1.present = true;
  machine.memory.l1.unified_with_shared = true;
  machine.memory.l1.line_bytes = 128;
  machine.memory.l1.sector_bytes = 32;
  machine.memory.l1_caches_global = true;
  machine.memory.l1_pass_rule = gpu::L1PassRule::sector_banks;
  machine.memory.l1_bytes_per_cycle_per_sm = 64;
  return testing::instruction_of({.op = op,
                                  .site = {.kind = facts::AccessKind::load, .width_bytes = lane_bytes},
                                  .event = {.active = active},
                                  .outcome = {.transactions = 1, .sectors = sectors}},
                                 machine)
      .lambda_cycles;
}

TEST(WideLoads, WriteEveryLanesRegisters) {
  EXPECT_FLOAT_EQ(pipe_cycles(testing::all_lanes, 4, 1, facts::OpClass::load_global), 2);
  EXPECT_FLOAT_EQ(pipe_cycles(testing::all_lanes, 16, 1, facts::OpClass::load_global), 8);
  EXPECT_FLOAT_EQ(pipe_cycles(0xff, 16, 1, facts::OpClass::load_global), 2);
}

// Sixteen sectors take eight cycles themselves; a store writes no register.
TEST(WideLoads, NotTwice) {
  EXPECT_FLOAT_EQ(pipe_cycles(testing::all_lanes, 16, 16, facts::OpClass::load_global), 8);
  EXPECT_FLOAT_EQ(pipe_cycles(testing::all_lanes, 16, 1, facts::OpClass::store_global), 1);
}

} // namespace
} // namespace forewarp::predict::hybrid
