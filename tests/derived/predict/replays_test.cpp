// What an access that is issued again costs its warp, worked by hand: 14 cycles from issue to issue, shared
// memory answers after 26, moves a pass a cycle; constants after 30 from the first cache, 92 from the second.
#include "derived/predict/one_access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

pipeline::Instruction applied(facts::OpClass op, facts::MemorySpace space,
                              const facts::AccessOutcome& outcome, double replay_cycles) {
  gpu::Machine machine;
  machine.memory.shared_latency_cycles = 26;
  machine.memory.shared_banks = 32;
  machine.memory.shared_bank_bytes = 4;
  machine.memory.shared_bytes_per_cycle_per_sm = 128;
  machine.memory.constant_latency_cycles = 30;
  machine.memory.constant_miss_latency_cycles = 92;
  machine.memory.replay_cycles = replay_cycles;
  return testing::instruction_of({.op = op,
                                  .site = {.kind = facts::AccessKind::load, .width_bytes = 4},
                                  .event = {.space = space},
                                  .outcome = outcome},
                                 machine);
}

pipeline::Instruction shared_load(float passes, double replay_cycles) {
  return applied(facts::OpClass::load_shared, facts::MemorySpace::shared, {.transactions = passes},
                 replay_cycles);
}

TEST(Replays, OnePassIsIssuedOnce) {
  EXPECT_FLOAT_EQ(shared_load(1, 14).hold_cycles, 0);
  EXPECT_FLOAT_EQ(shared_load(1, 14).latency_cycles, 26);
}

// Four lanes on one bank: issued four times, so 26 + 4 x 14 cycles. The banks are busy for four of them.
TEST(Replays, EachPassIsAnIssue) {
  EXPECT_FLOAT_EQ(shared_load(4, 14).hold_cycles, 56);
  EXPECT_FLOAT_EQ(shared_load(4, 14).latency_cycles, 82);
  EXPECT_FLOAT_EQ(shared_load(4, 14).lambda_cycles, 4);
}

TEST(Replays, WithoutThemThePipeGoesOn) {
  EXPECT_FLOAT_EQ(shared_load(4, 0).hold_cycles, 0);
  EXPECT_FLOAT_EQ(shared_load(4, 0).latency_cycles, 26 + 3);
}

// Kepler's code holds its warp 15 cycles behind a store, and four behind a load, which is the turn of four
// schedulers at a unit that takes one instruction a cycle; conflicts hold longer.
TEST(Replays, WarpsStayBehindTheirAccesses) {
  const auto hold = [](facts::OpClass op, float passes, double load_stall_cycles, double store_stall_cycles) {
    gpu::Machine machine;
    machine.memory.shared_banks = 32;
    machine.memory.shared_bank_bytes = 4;
    machine.memory.shared_bytes_per_cycle_per_sm = 128;
    machine.memory.replay_cycles = 14;
    machine.memory.shared_load_stall_cycles = load_stall_cycles;
    machine.memory.shared_store_stall_cycles = store_stall_cycles;
    const bool store = op == facts::OpClass::store_shared;
    const facts::MemorySite site = {.kind = store ? facts::AccessKind::store : facts::AccessKind::load,
                                    .width_bytes = 4};
    return testing::instruction_of({.op = op,
                                    .site = site,
                                    .event = {.space = facts::MemorySpace::shared},
                                    .outcome = {.transactions = passes}},
                                   machine)
        .hold_cycles;
  };
  EXPECT_FLOAT_EQ(hold(facts::OpClass::store_shared, 1, 4, 15), 15);
  EXPECT_FLOAT_EQ(hold(facts::OpClass::store_shared, 2, 4, 15), 28);
  EXPECT_FLOAT_EQ(hold(facts::OpClass::load_shared, 1, 4, 15), 4);
  EXPECT_FLOAT_EQ(hold(facts::OpClass::store_shared, 1, 0, 0), 0);
  EXPECT_FLOAT_EQ(hold(facts::OpClass::load_shared, 1, 0, 0), 0);
}

// A miss of the first constant cache: the warp waits until the second one's data are there.
TEST(Replays, AConstantMissHoldsTheWarp) {
  const auto load = [](float misses, double replay_cycles) {
    return applied(facts::OpClass::load_constant, facts::MemorySpace::constant,
                   {.transactions = 1, .l2_sectors = misses}, replay_cycles);
  };
  EXPECT_FLOAT_EQ(load(0, 14).hold_cycles, 0);
  EXPECT_FLOAT_EQ(load(1, 14).hold_cycles, 92);
  EXPECT_FLOAT_EQ(load(1, 0).hold_cycles, 0);
}

} // namespace
} // namespace forewarp::predict::hybrid
