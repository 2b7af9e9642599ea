// What one access takes, by its kind, worked by hand.
//
// The SM: 32 banks of 4 bytes at 64 B a cycle, so that a pass takes 128 / 64 = 2 cycles; a request of the
// load/store pipe takes 4 cycles, and a transaction 1 more.
#include "predict/traced/cost/access.h"

#include <gtest/gtest.h>

namespace forewarp::predict::hybrid {
namespace {

using facts::OpClass;

gpu::Machine machine() {
  gpu::Machine made;
  for (gpu::OpTiming& timing : made.ops)
    timing.issue_cycles = 4;
  gpu::MemoryTiming& memory = made.memory;
  memory.shared_bytes_per_cycle_per_sm = 64;
  memory.shared_latency_cycles = 20;
  memory.atomic_shared_same_address_cycles = 3;
  memory.constant_latency_cycles = 8;
  memory.constant_miss_latency_cycles = 108;
  memory.l1_latency_cycles = 30;
  memory.l2_latency_cycles = 200;
  memory.dram_latency_cycles = 500;
  memory.l1_bytes_per_cycle_per_sm = 64;
  return made;
}

Access access(OpClass op, float transactions) {
  Access made{.op = op, .width_bytes = 4, .active = 0xffffffff};
  made.outcome.transactions = transactions;
  return made;
}

// One pass hides behind the request's 4 cycles; five passes take 10, and the last is 4 x 2 later than the
// first.
TEST(SharedCost, EachFurtherPassTakesTheBanksTime) {
  const Cost one = shared_cost(access(OpClass::load_shared, 1), machine());
  EXPECT_DOUBLE_EQ(one.pipe_cycles, 4);
  EXPECT_DOUBLE_EQ(one.latency_cycles, 20);
  const Cost five = shared_cost(access(OpClass::load_shared, 5), machine());
  EXPECT_DOUBLE_EQ(five.pipe_cycles, 10);
  EXPECT_DOUBLE_EQ(five.latency_cycles, 28);
  EXPECT_EQ(five.hold_cycles, 0);
}

// With replays of 6 cycles the warp stays for 5 x 6 and the data comes that much later.
TEST(SharedCost, ReplaysHoldTheWarp) {
  gpu::Machine kepler = machine();
  kepler.memory.replay_cycles = 6;
  const Cost five = shared_cost(access(OpClass::load_shared, 5), kepler);
  EXPECT_EQ(five.hold_cycles, 30);
  EXPECT_DOUBLE_EQ(five.latency_cycles, 50);
}

// 8 lanes on one address: 4 + 7 x 3 cycles of the pipe, 20 + 8 x 3 of latency.
TEST(SharedCost, AtomicsOnOneAddressGoOneAfterTheOther) {
  const Cost cost = shared_atomic_cost(access(OpClass::atomic_shared, 8), machine());
  EXPECT_DOUBLE_EQ(cost.pipe_cycles, 25);
  EXPECT_DOUBLE_EQ(cost.latency_cycles, 44);
}

// A quarter misses: 8 + (3 - 1) + 0.25 x 100.
TEST(ConstantCost, MissesCountByTheirShare) {
  Access made = access(OpClass::load_constant, 3);
  made.outcome.l2_sectors = 0.25F;
  EXPECT_DOUBLE_EQ(constant_cost(made, machine()).latency_cycles, 35);
}

// Words of 16 bytes pass as four of 4: 4 x 4 cycles of the pipe, 8 + (4 - 1) of latency.
TEST(ConstantCost, WideLoadsGoWordByWord) {
  Access made = access(OpClass::load_constant, 1);
  made.width_bytes = 16;
  EXPECT_DOUBLE_EQ(constant_cost(made, machine()).pipe_cycles, 16);
  EXPECT_DOUBLE_EQ(constant_cost(made, machine()).latency_cycles, 11);
}

// Three lanes' own words: the pipe takes three requests.
TEST(ConstantCost, LanesOfTheirOwnWordsAreRequestsOfTheirOwn) {
  Access made = access(OpClass::load_constant, 3);
  EXPECT_DOUBLE_EQ(constant_cost(made, machine()).pipe_cycles, 12);
  EXPECT_DOUBLE_EQ(constant_cost(made, machine()).latency_cycles, 10);
}

// Nine attempts of a sum of floats: a load and a compare-and-swap of 4 cycles each; two times 20 cycles of
// shared memory, 6 of the sum, 12 of the comparison and 7 of the branch, during which the warp does nothing
// else. A sum of doubles that takes its unit 16 cycles takes as long a time nine times.
TEST(RetriedCost, AttemptsFollowOneAnother) {
  gpu::Machine made = machine();
  made.fixed.predicate_latency_cycles = 12;
  for (gpu::OpTiming& timing : made.ops)
    timing.latency_cycles = 6;
  made.ops[static_cast<std::size_t>(OpClass::branch)].latency_cycles = 7;
  made.ops[static_cast<std::size_t>(OpClass::fp64_add)].issue_cycles = 16;
  Access sum = access(OpClass::atomic_shared, 9);
  sum.outcome.attempts = 9;
  sum.outcome.tries_floats = true;
  const Cost cost = cost_of(sum, made, {});
  EXPECT_DOUBLE_EQ(cost.pipe_cycles, 9 * 8);
  EXPECT_DOUBLE_EQ(cost.latency_cycles, 9 * (40 + 6 + 12 + 7));
  EXPECT_EQ(cost.hold_cycles, 9 * 65);
  sum.width_bytes = 8;
  EXPECT_DOUBLE_EQ(cost_of(sum, made, {}).pipe_cycles, 9 * 16);
}

// 4 sectors of 32 bytes: 128 B through L1 at 64 a cycle are 2 cycles, hidden by the request; the port takes
// 128 / 64 = 2, L2 at 32 B a cycle 4. Half of it from DRAM at 16 B a cycle: 64 / 16 = 4. Latency: 30 + (200 -
// 30) + 1 x (500 - 200), because 2 sectors of DRAM count as one miss where nobody says how often one of the
// lines misses; by half of the requests 350.
TEST(CachedCost, EachLevelTakesItsShare) {
  Access made = access(OpClass::load_global, 1);
  made.outcome.sectors = made.outcome.l2_sectors = 4;
  made.outcome.dram_sectors = 2;
  const CachedRules rules{.shares = {64, 32, 16, 8, 10}};
  const Cost cost = cached_cost(made, machine(), rules);
  EXPECT_DOUBLE_EQ(cost.pipe_cycles, 4);
  EXPECT_DOUBLE_EQ(cost.latency_cycles, 500);
  made.outcome.dram_wait = 0.5;
  EXPECT_DOUBLE_EQ(cached_cost(made, machine(), rules).latency_cycles, 350);
  EXPECT_EQ(cost.busy_wait_cycles, 0);
  gpu::Machine kepler = machine();
  kepler.memory.dram_busy_wait_cycles = 60; // half of the requests wait for DRAM
  EXPECT_EQ(cached_cost(made, kepler, rules).busy_wait_cycles, 30);
  EXPECT_EQ(cost.server_cycles[l1_to_l2_port], 2);
  EXPECT_EQ(cost.server_cycles[l2_share], 4);
  EXPECT_EQ(cost.server_cycles[dram_share], 4);
  made.store = true; // at 8 B a cycle
  EXPECT_EQ(cached_cost(made, machine(), rules).server_cycles[dram_share], 8);
}

// An access in two operations: each has half of the sectors, and no fewer transactions than one.
TEST(CachedCost, PartsShareTheOutcome) {
  Access made = access(OpClass::load_global, 1);
  made.parts = 2;
  made.outcome.l2_sectors = 8;
  const Cost cost = cached_cost(made, machine(), {.shares = {64, 32, 16, 8, 10}});
  EXPECT_DOUBLE_EQ(made.transactions(), 1);
  EXPECT_EQ(cost.server_cycles[l2_share], 4); // 4 x 32 / 32
}

// atomic_global waits for L2 at least.
TEST(CachedCost, AtomicsGoToL2) {
  EXPECT_DOUBLE_EQ(cached_cost(access(OpClass::atomic_global, 1), machine(), {}).latency_cycles, 200);
}

} // namespace
} // namespace forewarp::predict::hybrid
