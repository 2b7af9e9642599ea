// Operations, tiles, transposition and advice on hand-made nests.
#include "derived/port/jetson.h"
#include "port/access/classes.h"
#include "port/advice/rewrite.h"
#include "port/advice/tile.h"
#include "port/estimate/cg_facts.h"
#include "port/estimate/parameters.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::port {
namespace {

using namespace testing;

const PortTarget& tk1() {
  static const PortTarget target = jetson();
  return target;
}

Version version_of(const facts::RegionTrace& trace) {
  auto version = make_version(trace, size_of(trace), tk1().machine, {});
  EXPECT_TRUE(version.has_value());
  return *version;
}

facts::RegionInstruction instruction(facts::RegionOp op, facts::RegionRole role, std::uint32_t value,
                                     std::vector<std::uint32_t> operands) {
  facts::RegionInstruction out{.op = op, .role = role, .bits = 64, .value = value};
  std::copy(operands.begin(), operands.end(), out.operands.begin());
  return out;
}

// An index widened for the CPU, its address, a second address beside it, a division: the widening and the
// second address cost nothing, the division is the table's.
TEST(MachineStep, IndexArithmeticIsWhatADeviceWouldDo) {
  LoopNest nest("ops", 1);
  const auto block = nest.block(0, true, {}, 0);
  nest.launch({0, 0}, {64, 1},
              [&](LoopNest::Thread& thread, std::uint64_t, std::uint64_t) { thread.run(block); });
  facts::RegionTrace trace = nest.trace;
  using facts::RegionOp;
  using facts::RegionRole;
  trace.instructions = {instruction(RegionOp::int_add, RegionRole::address_only, 0, {}),
                        instruction(RegionOp::convert, RegionRole::address_only, 1, {0}),
                        instruction(RegionOp::address, RegionRole::address_only, 2, {1}),
                        instruction(RegionOp::address, RegionRole::address_only, 3, {2}),
                        instruction(RegionOp::fp32_div, RegionRole::compute, 4, {})};
  trace.value_count = 5;
  trace.blocks[0].instruction_count = 5;
  const Version version = version_of(trace);
  const std::vector<facts::MachineOp>& ops = version.program.blocks[0].ops;
  const auto count = [&](facts::OpClass op) {
    return std::count_if(ops.begin(), ops.end(), [op](const facts::MachineOp& o) { return o.op == op; });
  };
  EXPECT_EQ(count(facts::OpClass::int_add), 1);
  EXPECT_EQ(count(facts::OpClass::int_mul_wide), 1); // reads the narrow index
  EXPECT_EQ(count(facts::OpClass::sfu), 1);
  EXPECT_EQ(count(facts::OpClass::fp32_fma), 5);
  const auto address = std::find_if(
      ops.begin(), ops.end(), [](const facts::MachineOp& o) { return o.op == facts::OpClass::int_mul_wide; });
  EXPECT_EQ(address->sources[0], 0U);
  EXPECT_DOUBLE_EQ(table2_counts(trace)[0].compute, 4); // all but the widening
}

TEST(Parameters, TheValueSetIsTable3) {
  const CgParameters gpu = cg_parameters(tk1().choice.file, "cgpredict", tk1().machine);
  EXPECT_DOUBLE_EQ(gpu.inst_cycle, 0.5);
  EXPECT_DOUBLE_EQ(gpu.mem_ld_l2, 164);
  EXPECT_DOUBLE_EQ(gpu.mem_ld_dram, 332);
  EXPECT_DOUBLE_EQ(gpu.mem_ld_smem, 67);
  EXPECT_DOUBLE_EQ(gpu.smem_load_const, 506);
  EXPECT_DOUBLE_EQ(gpu.dd_l2, 2);
  EXPECT_DOUBLE_EQ(gpu.dd_dram, 10);
  EXPECT_EQ(gpu.l2.size_bytes, 131072U);
  EXPECT_EQ(gpu.l2.line_bytes, 64U);
  EXPECT_TRUE(gpu.derived.empty());
}
TEST(Parameters, OtherGpusDeriveThem) {
  auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  auto target = port_target(*catalogue->find("v100"), "", "cgpredict");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->value_set, "");
  const CgParameters gpu = cg_parameters(target->choice.file, "", target->machine);
  EXPECT_DOUBLE_EQ(gpu.inst_cycle, 0.25); // four schedulers
  EXPECT_GT(gpu.dd_dram, 0);
  EXPECT_NE(std::find(gpu.derived.begin(), gpu.derived.end(), "departure_delay_dram"), gpu.derived.end());
}

// Eq. 1-5 and 24-25 by hand: 64 events, 2 L2 transactions each, 192 misses: d = 3.
TEST(AccessCost, EquationsByHand) {
  const CgParameters gpu = cg_parameters(tk1().choice.file, "cgpredict", tk1().machine);
  const ClassTraffic traffic{64, 256, 192};
  const AccessCost cost = access_cost(AccessPattern::uncoalesced, traffic, 32, gpu, MissModel::cgpredict);
  EXPECT_DOUBLE_EQ(cost.latency_cycles, 164 + 332 + 2 * 10);
  EXPECT_DOUBLE_EQ(cost.delay_cycles, 64); // 32 * 2 above 3 * 10
  const AccessCost hit = access_cost(AccessPattern::coalesced, {64, 128, 32}, 2, gpu, MissModel::cgpredict);
  EXPECT_DOUBLE_EQ(hit.latency_cycles, 166); // d = 0.5: Eq. 1
  EXPECT_DOUBLE_EQ(hit.delay_cycles, 5);
  const AccessCost simple =
      access_cost(AccessPattern::uncoalesced, traffic, 32, gpu, MissModel::simple_cache);
  EXPECT_DOUBLE_EQ(simple.latency_cycles, 0.25 * 164 + 0.75 * 332);
  EXPECT_DOUBLE_EQ(simple.delay_cycles, 0.25 * 2 + 0.75 * 10);
}

TEST(Tile, EveryElementOnceBetweenTwoBarriers) {
  facts::RegionTrace trace = gemm(64);
  const auto tiled = tile_version(trace, version_of(trace), {{"A", "B"}, 32}, tk1().machine);
  ASSERT_TRUE(tiled.has_value()) << tiled.error().message;
  EXPECT_EQ(tiled->shared_bytes, 8192U); // C's Table 5
  EXPECT_DOUBLE_EQ(tiled->barriers_per_thread, 4);
  // Two tiles of 1024 elements by 1024 threads, for each array.
  EXPECT_DOUBLE_EQ(tiled->block_runs[2], 2);
  EXPECT_DOUBLE_EQ(tiled->block_runs[3], 2);
  for (const facts::GroupTrace& group : tiled->warps.trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      EXPECT_EQ(warp.steps.size(), 64U + 2 * (2 + 2)); // two tiles: two barriers, two loads
      for (const facts::MemoryEvent& event : warp.events)
        if (event.space == facts::MemorySpace::shared) {
          EXPECT_LT(event.base, 8192U);
        }
    }
}
TEST(Tile, Refusals) {
  facts::RegionTrace product = gemm(64, true);
  const Version base = version_of(product);
  EXPECT_NE(tile_version(product, base, {{"D"}, 32}, tk1().machine).error().message.find("no array"),
            std::string::npos);
  EXPECT_NE(tile_version(product, base, {{"C"}, 32}, tk1().machine).error().message.find("writes"),
            std::string::npos);
  facts::RegionTrace stencil = conv2d(64);
  EXPECT_EQ(tile_version(stencil, version_of(stencil), {{}, 32}, tk1().machine).error().code,
            ErrorCode::bad_input);
  // 256 threads, each a row of its own: nothing is shared but x; A alone saves no access.
  facts::RegionTrace rows = row_times_vector(256);
  EXPECT_NE(
      tile_version(rows, version_of(rows), {{"A"}, 32}, tk1().machine).error().message.find("no two threads"),
      std::string::npos);
  // 1024 iterations of two 32-row tiles: 256 KiB.
  facts::RegionTrace large = gemm(1024 / 4);
  EXPECT_EQ(tile_version(large, version_of(large), {{}, 256}, tk1().machine).error().code, ErrorCode::launch);
}

TEST(Transpose, RowsBecomeColumns) {
  const facts::RegionTrace trace = syrk(64);
  const Version base = version_of(trace);
  const facts::MemoryRegion& a = base.warps.trace.regions[0];
  const auto pitch = row_pitch_bytes(base, a);
  ASSERT_TRUE(pitch.has_value());
  EXPECT_EQ(*pitch, 4U * 64);
  const Version changed = transposed(base, a, *pitch);
  const auto classes = classify_sites(changed.warps.trace, changed.warps.sites);
  EXPECT_DOUBLE_EQ(classes[0].share(AccessPattern::constant), 1);
  EXPECT_DOUBLE_EQ(classes[1].share(AccessPattern::coalesced), 1);
  // Twice is the array as it was.
  const Version back = transposed(changed, a, *pitch);
  EXPECT_EQ(back.warps.trace.groups[1].warps[5].events[7].base,
            base.warps.trace.groups[1].warps[5].events[7].base);
}

// x of the row-wise product is read by all lanes at once and fits into constant memory.
TEST(Advice, OnlyWhatGainsLargestFirst) {
  const RegionEstimate answer =
      estimate({[](auto n) { return row_times_vector(n); }, 256, 1024, "hybrid"}, true);
  ASSERT_FALSE(answer.advice.empty());
  EXPECT_EQ(answer.advice[0].kind, "transpose");
  for (std::size_t i = 0; i < answer.advice.size(); ++i) {
    EXPECT_LT(answer.advice[i].time_ms, 0.991 * answer.kernel.time_ms);
    if (i > 0) {
      EXPECT_GE(answer.advice[i - 1].gain_ms, answer.advice[i].gain_ms);
    }
  }
}
TEST(ConstantMemory, LoadsChangeTheirPath) {
  const facts::RegionTrace trace = row_times_vector(256);
  const Version base = version_of(trace);
  const Version changed = in_constant_memory(base, "x");
  EXPECT_EQ(changed.program.sites[1].space, facts::MemorySpace::constant);
  EXPECT_EQ(changed.program.sites[0].space, facts::MemorySpace::global);
  const std::vector<facts::MachineOp>& ops = changed.program.blocks[0].ops;
  EXPECT_EQ(std::count_if(ops.begin(), ops.end(),
                          [](const facts::MachineOp& o) { return o.op == facts::OpClass::load_constant; }),
            1);
}

} // namespace
} // namespace forewarp::port
