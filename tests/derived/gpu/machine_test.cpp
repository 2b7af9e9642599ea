// Resolved machines against numbers worked by hand from data sheets and the throughput table.
#include "gpu/machine.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace forewarp::gpu {
namespace {

using facts::OpClass;

Machine machine(const std::string& name, const std::string& value_set = "") {
  static const auto catalogue = Catalogue::open(std::filesystem::path(FOREWARP_SOURCE_DIR) / "data" / "gpus");
  const auto resolved = resolve(catalogue->find(name)->file, value_set);
  EXPECT_TRUE(resolved) << to_string(resolved.error());
  return resolved.value_or(Machine{});
}

/// Results per cycle and SM that the operation table allows: warp x instances / issue cycles, over both
/// units.
double per_cycle(const Machine& gpu, OpClass op) {
  const OpTiming& timing = gpu.timing(op);
  const auto instances = [&](int unit) {
    return gpu.units[static_cast<std::size_t>(unit)].per_scheduler ? gpu.schedulers_per_sm : 1U;
  };
  const double pipes = instances(timing.unit) + (timing.second_unit >= 0 ? instances(timing.second_unit) : 0);
  return gpu.warp_width * pipes / timing.issue_cycles;
}

double peak_gflops(const Machine& gpu) {
  return 2 * per_cycle(gpu, OpClass::fp32_fma) * gpu.sm_count * gpu.sm_clock_boost_mhz * 1e-3;
}

// V100 SXM2: 80 SM x 64 lanes x 2 x 1.530 GHz = 15.67 TFLOP/s (data sheet 15.7).
TEST(Peak, V100) {
  EXPECT_NEAR(peak_gflops(machine("V100")), 15667, 1);
}

// GTX 1060 6GB: 10 x 128 x 2 x 1.709 = 4375 GFLOP/s (data sheet 4.4 TFLOP/s at boost).
TEST(Peak, Gtx1060) {
  EXPECT_NEAR(peak_gflops(machine("GTX 1060")), 4375, 1);
}

// RTX 3090: 82 x 128 x 2 x 1.695 = 35.58 TFLOP/s (data sheet 35.6); half of the lanes are the second unit.
TEST(Peak, Rtx3090OnTwoUnits) {
  const Machine gpu = machine("RTX 3090");
  EXPECT_NEAR(peak_gflops(gpu), 35582, 1);
  EXPECT_GE(gpu.timing(OpClass::fp32_fma).second_unit, 0);
  EXPECT_EQ(gpu.timing(OpClass::fp32_fma).issue_cycles, 2); // 32 lanes over 16
}

// K40 at its boost clock: 15 x 192 x 2 x 0.876 = 5046 GFLOP/s; H100 SXM 132 x 128 x 2 x 1.98 = 66.9 TFLOP/s.
TEST(Peak, K40AndH100) {
  EXPECT_NEAR(peak_gflops(machine("K40")), 5046, 1);
  EXPECT_NEAR(peak_gflops(machine("H100")), 66908, 1);
}

// MI210: 104 CU x 64 lanes x 2 x 1.7 GHz = 22.6 TFLOP/s (data sheet, vector fp32).
TEST(Peak, Mi210) {
  const Machine gpu = machine("MI210");
  EXPECT_NEAR(peak_gflops(gpu), 22630, 1);
  EXPECT_EQ(gpu.timing(OpClass::fp32_fma).issue_cycles, 4); // wave of 64 over 16 lanes
}

// Throughput table of the CUDA C++ Programming Guide, results per cycle and SM.
TEST(Throughput, GuideTable) {
  EXPECT_NEAR(per_cycle(machine("K40"), OpClass::int_add), 160, 1e-9);
  EXPECT_NEAR(per_cycle(machine("K40"), OpClass::int_mul), 32, 1e-9);
  EXPECT_NEAR(per_cycle(machine("K40"), OpClass::fp64_fma), 64, 1e-9);
  EXPECT_NEAR(per_cycle(machine("GTX 980"), OpClass::int_add), 128, 1e-9);
  EXPECT_NEAR(per_cycle(machine("GTX 980"), OpClass::int_shift), 64, 1e-9);
  EXPECT_NEAR(per_cycle(machine("V100"), OpClass::fp64_fma), 32, 1e-9);
  EXPECT_NEAR(per_cycle(machine("V100"), OpClass::sfu), 16, 1e-9);
  EXPECT_NEAR(per_cycle(machine("RTX 2070"), OpClass::fp64_fma), 2, 1e-9);
  EXPECT_NEAR(per_cycle(machine("A100"), OpClass::fp16_fma), 128, 1e-9); // 256 results in pairs
  EXPECT_NEAR(per_cycle(machine("RTX 3090"), OpClass::int_mul), 64, 1e-9);
}

// Fermi: two schedulers of 16 lanes at the shader clock: a warp takes 2 cycles of its half; SFU 32 / 4 = 8.
TEST(Issue, Fermi) {
  const Machine gpu = machine("C2050");
  EXPECT_EQ(gpu.timing(OpClass::fp32_fma).issue_cycles, 2);
  EXPECT_EQ(gpu.timing(OpClass::sfu).issue_cycles, 8);
  EXPECT_EQ(gpu.issue_per_scheduler, 0.5);
}

// 8800 GTX: 8 lanes, a warp takes 4 shader cycles; 2 SFU lanes, 16 cycles; half-warps coalesce into 64-byte
// segments.
TEST(Issue, G80) {
  const Machine gpu = machine("8800 GTX");
  EXPECT_EQ(gpu.timing(OpClass::fp32_mul).issue_cycles, 4);
  EXPECT_EQ(gpu.timing(OpClass::sfu).issue_cycles, 16);
  EXPECT_EQ(gpu.memory.coalesce_segment_bytes, 64U);
  EXPECT_EQ(gpu.memory.coalesce_lanes, 16U);
  EXPECT_FALSE(gpu.memory.l1.present);
  EXPECT_FALSE(gpu.memory.l2.present);
}

// Kepler has two slots a scheduler, but of its instructions 22 % can be the second of a pair: 4 x 1.22 = 4.88
// a cycle and SM, 4.88 x 32 x 15 SM x 2 x 0.745 GHz = 3490 GFLOP/s (clpeak on a K40c: 3495).
TEST(Issue, KeplerPairs) {
  const Machine gpu = machine("K40");
  EXPECT_DOUBLE_EQ(gpu.issue_per_scheduler, 1.22);
  EXPECT_NEAR(4 * gpu.issue_per_scheduler * 32 * 15 * 2 * 0.745, 3490, 1);
  EXPECT_DOUBLE_EQ(machine("GTX 650 Ti", "lemeire").issue_per_scheduler,
                   1); // P's issue limit 4, four schedulers
}

// P's values laid over the K620: lambda 0.375 and Lambda 6 of mul.f32; 4 schedulers share the SM: 0.375 x 4
// = 1.5 cycles.
TEST(ValueSet, LemeireOnK620) {
  const Machine paper = machine("K620", "lemeire"), sheet = machine("K620");
  EXPECT_DOUBLE_EQ(paper.timing(OpClass::fp32_mul).issue_cycles, 1.5);
  EXPECT_DOUBLE_EQ(sheet.timing(OpClass::fp32_mul).issue_cycles, 1.0);
  EXPECT_EQ(paper.timing(OpClass::fp32_mul).latency_cycles, 6);
  EXPECT_DOUBLE_EQ(paper.timing(OpClass::fp64_mul).issue_cycles, 7.5); // one per SM
  EXPECT_EQ(paper.memory.dram_latency_cycles, 440);
  EXPECT_EQ(paper.fixed.barrier_latency_cycles, 125);
}

// Global loads: L1 on Fermi, Volta and later; L2 only on Kepler, Maxwell and GP104 by default.
TEST(Memory, WhereGlobalLoadsAreCached) {
  for (const char* name : {"C2050", "P100", "V100", "RTX 2070", "A100", "H200", "MI210"})
    EXPECT_TRUE(machine(name).memory.l1_caches_global) << name;
  for (const char* name : {"8800 GTX", "K40", "GTX 980", "K620", "GTX 1060"})
    EXPECT_FALSE(machine(name).memory.l1_caches_global) << name;
}

// P Table 5: a load of all lanes of a warp takes 18 cycles of an SM. 36 SMs x 128 B / 18 cycles x 1.62 GHz =
// 414.72 GB/s; with P Table 6's 288 GB/s it would take 25.92.
TEST(ValueSet, OfPGivesLoadsTheirLambda) {
  const Machine paper = machine("RTX 2070", "lemeire");
  EXPECT_NEAR(paper.memory.dram_read_gbps, 414.72, 1e-9);
  EXPECT_NEAR(paper.warp_width * 4 /
                  (paper.memory.dram_read_gbps * 1e3 / paper.sm_clock_mhz / paper.sm_count),
              18, 1e-12);
  EXPECT_NEAR(machine("RTX 2070").memory.dram_read_gbps, 392, 1e-9);
}

TEST(Policies, AreNamedByTheFamilies) {
  EXPECT_EQ(machine("8800 GTX").memory.l1_pass_rule, L1PassRule::half_warp_segments);
  EXPECT_EQ(machine("K40").memory.l1_pass_rule, L1PassRule::lines);
  EXPECT_EQ(machine("RTX 2070").memory.l1_pass_rule, L1PassRule::sector_banks);
  EXPECT_EQ(machine("V100").memory.l1_pass_rule, L1PassRule::sector_banks);
  EXPECT_EQ(machine("MI210").memory.l1_pass_rule, L1PassRule::quads);
  EXPECT_EQ(machine("W6600").memory.l1_pass_rule, L1PassRule::line_parts);
  EXPECT_TRUE(machine("GTX 1060").memory.texture_units_read);
  EXPECT_FALSE(machine("V100").memory.texture_units_read);
  EXPECT_FALSE(machine("K40").compiler.three_input_alu);
  EXPECT_EQ(machine("K620").compiler.shared_loads_in_flight, 16U);
  EXPECT_EQ(machine("V100").compiler.shared_loads_in_flight, 32U);
  EXPECT_EQ(machine("V100").tensor_multiply_adds, 16U * 8 * 8);
  EXPECT_EQ(machine("A100").tensor_multiply_adds, 16U * 8 * 16);
}

} // namespace
} // namespace forewarp::gpu
