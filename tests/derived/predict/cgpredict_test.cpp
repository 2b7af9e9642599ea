// CGPredict (Wang, Zhong, Mitra, TECS 2017; C) on facts worked by hand for the Jetson TK1 of its Table 3:
// inst_cycle 0.5 (issue limit 2), 852 MHz, 2048 resident threads.
#include "example_facts.h"

namespace forewarp::models::example {
namespace {

facts::ModelFacts facts_of(double blocks, std::vector<facts::ModelClass> mix) {
  facts::ModelFacts facts;
  facts.kernel = "worked";
  facts.groups = blocks;
  facts.concurrent_groups = 2;
  facts.warps_per_group = 32;
  facts.issue_limit = 2;
  facts.subsystems = {"compute", "memory", "shared_memory"};
  facts.mix = std::move(mix);
  return facts;
}

facts::ModelClass memory(const char* name, double count, double delay, double latency) {
  return {.name = name,
          .kind = facts::ModelClassKind::memory,
          .subsystem = 1,
          .count_per_warp = count,
          .lambda_cycles = delay,
          .latency_cycles = latency};
}
facts::ModelClass shared(double count, double latency) {
  return {.name = "shared",
          .kind = facts::ModelClassKind::shared_memory,
          .subsystem = 2,
          .count_per_warp = count,
          .lambda_cycles = latency,
          .latency_cycles = latency};
}
facts::ModelClass compute(double count) {
  return {.name = "compute",
          .kind = facts::ModelClassKind::compute,
          .subsystem = 0,
          .count_per_warp = count,
          .lambda_cycles = 0.5,
          .latency_cycles = 0.5};
}

ModelPrediction run(const facts::ModelFacts& facts) {
  gpu::Machine machine;
  machine.sm_count = 1;
  machine.sm_clock_mhz = 852;
  auto model = find_model("cgpredict");
  EXPECT_TRUE(model.has_value());
  auto prediction = model->predict(facts, machine, {});
  EXPECT_TRUE(prediction.has_value()) << prediction.error().message;
  return *prediction;
}

double value(const ModelPrediction& prediction, const std::string& symbol) {
  for (const Step& step : prediction.steps)
    if (step.symbol == symbol)
      return step.value;
  ADD_FAILURE() << symbol;
  return 0;
}

// GEMM, 1024: a constant access that misses 1/64 of the time (Eq. 4, 5): 164 + 332/64 = 169.1875 and
// 2 + 10/64 = 2.15625; a coalesced hit (Eq. 1, 3): 164 + 2 = 166 and 4. mem_l 167.59375, delay 3.078125,
// MWP 54.4467 as printed (54.45). Nine instructions an iteration: comp 4.5 * 1024 = 4608.
// Eq. 16: (6.15625 * 1024 * 64 + 4608 / 2048 * 54.4467) * 512 batches = 206,632,195 cycles = 242.526 ms.
TEST(Cgpredict, Gemm) {
  const ModelPrediction out = run(facts_of(1024, {memory("constant", 1024, 2.15625, 169.1875),
                                                  memory("coalesced", 1024, 4, 166), compute(7 * 1024)}));
  EXPECT_NEAR(value(out, "comp_cycles"), 4608, 1e-9);
  EXPECT_NEAR(value(out, "MWP"), 54.4467, 1e-4);
  EXPECT_NEAR(out.cycles, 206632194.6, 0.1);
  EXPECT_NEAR(out.time_ms, 242.526, 0.001);
  EXPECT_EQ(out.limiter, "memory");
}

// CWP below MWP: mem 166, comp 0.5 * (1 + 999) = 500, CWP 1.332, MWP 41.5: Eq. 17: 166 + 500 * 64 = 32166
// a batch, two batches.
TEST(Cgpredict, ComputeBound) {
  const ModelPrediction out = run(facts_of(4, {memory("coalesced", 1, 4, 166), compute(999)}));
  EXPECT_NEAR(value(out, "CWP"), 1.332, 1e-9);
  EXPECT_NEAR(out.cycles, 2 * 32166, 1e-6);
  EXPECT_EQ(out.limiter, "compute");
}

// Half a batch: 1024 of 2048 threads are one block of the two that fit: 32 warps, not rounded up.
TEST(Cgpredict, HalfABatch) {
  const ModelPrediction out = run(facts_of(1, {memory("uncoalesced", 10, 320, 806), compute(10)}));
  EXPECT_NEAR(out.concurrent_warps, 32, 1e-12);
  // Eq. 16: 8060 * 32 / (806/320) + (0.5 * 20 / 10) * 806/320 = 102400 + 2.51875
  EXPECT_NEAR(out.cycles, 102402.51875, 1e-6);
}

// Tiled GEMM, 1024 (Table 5's reading): 64 tile loads at 506, 2048 shared accesses at 67, comp
// 0.5 * (64 + 2048 + 7104) = 4608: (32384 + 137216 + 4608) * 512 / 852 MHz = 104.69 ms.
TEST(Cgpredict, TiledGemm) {
  const ModelPrediction out =
      run(facts_of(1024, {memory("tile_load", 64, 0, 506), shared(2048, 67), compute(7104)}));
  EXPECT_NEAR(out.time_ms, 104.69, 0.01);
}

// Eq. 23: delay 4 * (41.5 - 1) * 10 barriers * 2 blocks = 3240 a batch.
TEST(Cgpredict, Barriers) {
  facts::ModelFacts facts = facts_of(2, {memory("coalesced", 1, 4, 166), compute(9)});
  const double without = run(facts).cycles;
  facts.barriers_per_warp = 10;
  EXPECT_NEAR(run(facts).cycles - without, 3240, 1e-9);
}

} // namespace
} // namespace forewarp::models::example
