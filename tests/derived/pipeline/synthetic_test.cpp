// P's synthetic kernels on the GPUs of its Table 4 and 5 (values as printed): simulator against Eq. 43-45.
#include "pipeline/graph_model.h"
#include "pipeline/synthetic_kernels.h"

#include <gtest/gtest.h>

namespace forewarp::pipeline {
namespace {

struct Gpu {
  const char* name;
  InstructionTiming alu, sfu; ///< lambda: Table 4; Lambda: Table 5
  double issue_limit;
  double warps; ///< maximal occupancy
  InstructionTiming barrier;
  std::vector<double> limited; ///< Eq. 45 with its beta, beta = 1, 2, 4, 8, 16, 32 (notes.md section 1)
};
const std::vector<Gpu>& gpus() {
  static const std::vector<Gpu> all = {
      {"C2050", {1, 18}, {8, 40}, 1, 48, {2, 40}, {.125, .25, .5, .889, .941, .970}},
      {"GTX 650 Ti", {0.25, 9}, {1, 18}, 4, 64, {0.75, 24}, {1, 2, 3.2, 3.556, 3.765, 3.879}},
      {"K620", {0.25, 6}, {1, 15}, 4, 64, {4.5, 125}, {1, 2, 3.2, 3.556, 3.765, 3.879}},
      {"GTX 1060", {0.25, 6}, {1, 15}, 4, 64, {2.25, 70}, {1, 2, 3.2, 3.556, 3.765, 3.879}},
      {"RTX 2070", {0.5, 4}, {2, 21}, 2, 32, {1.5, 17}, {.5, 1, 1.6, 1.778, 1.882, 1.939}},
      {"R9 380", {1, 5.25}, {5, 24}, 1, 40, {7.5, 150}, {.2, .4, .8, .889, .941, .970}},
  };
  return all;
}
const std::vector<unsigned> betas = {1, 2, 4, 8, 16, 32};

TEST(InstructionMix, EquationsWithBeta) {
  for (const Gpu& gpu : gpus())
    for (std::size_t i = 0; i < betas.size(); ++i)
      EXPECT_NEAR(instruction_mix_ipc_limited(betas[i], gpu.alu.lambda_cycles, gpu.sfu.lambda_cycles,
                                              gpu.issue_limit),
                  gpu.limited[i], 5e-4)
          << gpu.name << ' ' << betas[i];
  EXPECT_DOUBLE_EQ(instruction_mix_ipc_one(4, 1, 4), 0.5); // 4 / (4 + 4)
  EXPECT_DOUBLE_EQ(instruction_mix_ipc_two(4, 1, 4), 1);   // the ridge is at beta = l2 / l1
  EXPECT_DOUBLE_EQ(instruction_mix_ipc_two(2, 1, 4), 0.5);
}

/// Simulated rate of type 1 at full occupancy, round robin; enough repeats that fill and drain are below 0.5
/// %.
double simulated(const Gpu& gpu, unsigned beta, bool one_subsystem, double issue_limit) {
  SyntheticLaunch launch{.warps_per_group = 1, .concurrent_groups = gpu.warps, .issue_limit = issue_limit};
  const unsigned repeats = 4096 / (beta + 1);
  const facts::ModelFacts facts = instruction_mix(beta, repeats, gpu.alu, gpu.sfu, one_subsystem, launch);
  GraphModelOptions options;
  const auto result = simulate_graphs(facts, gpu.warps, options);
  EXPECT_TRUE(result.has_value());
  return result ? beta * repeats * gpu.warps / result->cycles : -1;
}

TEST(InstructionMix, OneSubsystemWithinOnePercent) {
  for (const Gpu& gpu : gpus())
    for (const unsigned beta : betas) {
      const double model = instruction_mix_ipc_one(beta, gpu.alu.lambda_cycles, gpu.sfu.lambda_cycles);
      const double rate = simulated(gpu, beta, true, 0);
      EXPECT_LE(rate, model * (1 + 1e-9)) << gpu.name << ' ' << beta;
      EXPECT_GE(rate, model * 0.99) << gpu.name << ' ' << beta;
    }
}
TEST(InstructionMix, TwoSubsystemsWithinOnePercent) {
  for (const Gpu& gpu : gpus())
    for (const unsigned beta : betas) {
      const double model = instruction_mix_ipc_two(beta, gpu.alu.lambda_cycles, gpu.sfu.lambda_cycles);
      const double rate = simulated(gpu, beta, false, 0);
      EXPECT_LE(rate, model * (1 + 1e-9)) << gpu.name << ' ' << beta;
      EXPECT_GE(rate, model * 0.99) << gpu.name << ' ' << beta;
    }
}
TEST(InstructionMix, IssueLimitWithinTwelvePercentAndNeverAbove) {
  for (const Gpu& gpu : gpus())
    for (const unsigned beta : betas) {
      const double model =
          instruction_mix_ipc_limited(beta, gpu.alu.lambda_cycles, gpu.sfu.lambda_cycles, gpu.issue_limit);
      const double rate = simulated(gpu, beta, false, gpu.issue_limit);
      EXPECT_LE(rate, model * (1 + 1e-9)) << gpu.name << ' ' << beta;
      EXPECT_GE(rate, model * 0.88) << gpu.name << ' ' << beta;
    }
}

// One group of w warps: an iteration is the computation's latency L, then the barrier (latency B) once the
// last of the w warps has issued it. Computations issue l apart; the barrier unit takes b an instruction, the
// slower of the two paces: L + B + (w - 1) max(l, b) cycles an iteration, and the last one ends with B.
TEST(IterativeBarrier, OneGroup) {
  for (const Gpu& gpu : gpus())
    for (const double warps : {1.0, 2.0, 8.0}) {
      const unsigned repeats = 100;
      const facts::ModelFacts facts = iterative_barrier(repeats, gpu.alu, gpu.barrier,
                                                        {.warps_per_group = warps, .concurrent_groups = 1});
      const double cycles = simulate_graphs(facts, 1, {})->cycles;
      const double pace = std::max(gpu.alu.lambda_cycles, gpu.barrier.lambda_cycles);
      EXPECT_NEAR(cycles,
                  repeats * (gpu.alu.latency_cycles + gpu.barrier.latency_cycles + (warps - 1) * pace),
                  1e-6 * cycles)
          << gpu.name << ' ' << warps;
    }
}
// Groups do not wait for each other: two groups of one warp take less than twice one group, and splitting the
// same warps into smaller groups is never slower (P Fig. 16).
TEST(IterativeBarrier, SmallerGroupsAreNotSlower) {
  for (const Gpu& gpu : gpus()) {
    double last = 1e300;
    for (const double size : {32.0, 16.0, 8.0, 4.0, 2.0, 1.0}) {
      const facts::ModelFacts facts =
          iterative_barrier(64, gpu.alu, gpu.barrier,
                            {.warps_per_group = size, .concurrent_groups = 32 / size, .groups = 32 / size});
      const double cycles = simulate_graphs(facts, 32 / size, {})->cycles;
      EXPECT_LE(cycles, last * (1 + 1e-3)) << gpu.name << ' ' << size;
      last = cycles;
    }
  }
}

// m loads in flight a warp, w warps: rate min(1 / l, m w / L) (Little's law).
TEST(MemoryParallelism, LittlesLaw) {
  const InstructionTiming load{12, 345}; // GTX 1060
  for (const unsigned in_flight : {1u, 2u, 4u, 8u})
    for (const double warps : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
      const unsigned repeats = 200;
      const facts::ModelFacts facts =
          memory_parallelism(in_flight, repeats, load, {.warps_per_group = 1, .concurrent_groups = warps});
      const double loads = in_flight * repeats * warps;
      const double rate = loads / simulate_graphs(facts, warps, {})->cycles;
      const double model = std::min(1 / load.lambda_cycles, in_flight * warps / load.latency_cycles);
      EXPECT_LE(rate, model * (1 + 1e-9));
      EXPECT_GE(rate, model * 0.96) << in_flight << ' ' << warps;
    }
}

} // namespace
} // namespace forewarp::pipeline
