// P's example kernel: rows of shared/sources/notes.md section 1 (cycles of one run of 1, 2, ... 10 warps).
#include "example_facts.h"

#include <algorithm>
#include <cmath>

namespace forewarp::models::example {
namespace {

struct Row {
  const char* model;
  std::vector<double> cycles;
  double tolerance;
};

// volkov: max(25, 4 w). mwp_cwp: 16 + 2 (w - 1) to w = 3, then 2 * 2 w + 2 * 3. Corrected: max(25 + 2 (w -
// 1), 4 w + 6). wfg: block ILP 2 and 1; CYC_comp 14, 8, 20/3, 6, ...; NBC a third of it. Thirds are printed
// with two digits.
TEST(ExampleKernel, CyclesPerRun) {
  const std::vector<Row> rows = {
      {"volkov", {25, 25, 25, 25, 25, 25, 28, 32, 36, 40}, 1e-9},
      {"mwp_cwp", {16, 18, 20, 22, 26, 30, 34, 38, 42, 46}, 1e-9},
      {"mwp_cwp_corrected", {25, 27, 29, 31, 33, 35, 37, 39, 42, 46}, 1e-9},
      {"wfg", {24, 25 + 1.0 / 3, 23 + 1.0 / 3, 24, 30, 36, 42, 48, 54, 60}, 1e-9},
      {"wfg_corrected",
       {24, 24, 26, 28, 30 + 2.0 / 3, 33 + 1.0 / 3, 36, 37 + 1.0 / 3, 39 + 1.0 / 3, 42},
       1e-9},
      {"transit", {28, 28, 28, 28, 28, 28, 28, 32, 36, 40}, 1e-6},
      {"roofline", {4, 8, 12, 16, 20, 24, 28, 32, 36, 40}, 1e-9},
  };
  for (const Row& row : rows)
    for (unsigned warps = 1; warps <= 10; ++warps)
      EXPECT_NEAR(predict(row.model, kernel(warps)).cycles_per_run, row.cycles[warps - 1], row.tolerance)
          << row.model << ", " << warps << " warps";
}

// 28 - 3: exactly one compute instruction counts 1 instead of 4, in both variants.
TEST(ExampleKernel, AppLatencyIs25InBothVariants) {
  for (const int variant : {1, 2}) {
    const ModelPrediction prediction = predict("volkov", kernel(7, variant));
    EXPECT_DOUBLE_EQ(step(prediction, "Lambda_app"), 25);
    EXPECT_DOUBLE_EQ(step(prediction, "|J|"), 1);
    EXPECT_DOUBLE_EQ(prediction.warps_per_cycle, 0.25); // peak with seven warps
    EXPECT_DOUBLE_EQ(step(prediction, "ridge omega"), 6.25);
  }
  EXPECT_LT(predict("volkov", kernel(6)).warps_per_cycle, 0.25);
}

TEST(ExampleKernel, MwpAndCwp) {
  const ModelPrediction prediction = predict("mwp_cwp", kernel(4));
  EXPECT_DOUBLE_EQ(step(prediction, "MWP"), 3);
  EXPECT_DOUBLE_EQ(step(prediction, "CWP"), 4);
  for (unsigned warps = 1; warps <= 10; ++warps)
    EXPECT_EQ(predict("mwp_cwp", kernel(warps)).limiter, warps < 4 ? "occupancy" : "memory") << warps;
}

TEST(ExampleKernel, RooflineAtItsRidge) {
  const ModelPrediction prediction = predict("roofline", kernel(1));
  EXPECT_DOUBLE_EQ(step(prediction, "IPC_roof"), 1);
  EXPECT_DOUBLE_EQ(step(prediction, "ridge CI"), 2);
  EXPECT_DOUBLE_EQ(step(prediction, "CI"), 2);
}

// Eq. 31 and 35 for w = 1, 2, 3, 4: 4 + 8 + 2 = 14; 2 + 4 + 2 = 8; 2 + 8/3 + 2; 2 + 2 + 2.
TEST(ExampleKernel, WfgIntermediates) {
  const std::vector<double> cyc = {14, 8, 20.0 / 3, 6, 6};
  const std::vector<double> exposed = {6, 10.0 / 3, 14.0 / 9, 0, -2};
  for (unsigned warps = 1; warps <= 5; ++warps) {
    const ModelPrediction prediction = predict("wfg", kernel(warps));
    EXPECT_NEAR(step(prediction, "CYC_comp"), cyc[warps - 1], 1e-12);
    EXPECT_NEAR(step(prediction, "NBC_avg"), cyc[warps - 1] / 3, 1e-12);
    EXPECT_NEAR(step(prediction, "Lambda_exposed"), exposed[warps - 1], 1e-12);
  }
}

// ILP 1 in both blocks: published 28, 26.67, 22.67, 24, 30, 36.
TEST(ExampleKernel, WfgWithoutIlp) {
  const std::vector<double> cycles = {28, 26 + 2.0 / 3, 22 + 2.0 / 3, 24, 30, 36};
  for (unsigned warps = 1; warps <= 6; ++warps) {
    facts::ModelFacts facts = kernel(warps);
    facts.flow[0].ilp = 1;
    EXPECT_NEAR(predict("wfg", facts).cycles_per_run, cycles[warps - 1], 1e-9) << warps;
  }
}

// n = 2 computations, stall 6 an interval: p = 4 / 16. GTO: Volkov without compute latencies, min(1/4, w /
// 16). RR: (16 + 2 * 1/4 (w - 1) * 1) cycles a run, above the roof from w = 5 on: 5 / 18 = 0.2778.
TEST(ExampleKernel, Gpumech) {
  for (unsigned warps = 1; warps <= 10; ++warps) {
    EXPECT_NEAR(predict("gpumech_gto", kernel(warps)).warps_per_cycle, std::min(0.25, warps / 16.0), 1e-12)
        << warps;
    EXPECT_NEAR(predict("gpumech_rr", kernel(warps)).warps_per_cycle, warps / (16 + 0.5 * (warps - 1)), 1e-12)
        << warps;
  }
  EXPECT_NEAR(predict("gpumech_rr", kernel(5)).warps_per_cycle, 0.2778, 5e-5);
}

TEST(ExampleKernel, GpumechCountingMemoryInstructionsIsCappedAtASixth) {
  ModelOptions options;
  options.gpumech_counts_memory_instructions = true;
  for (unsigned warps = 1; warps <= 10; ++warps)
    EXPECT_LE(predict("gpumech_gto", kernel(warps), options).warps_per_cycle, 1 / 6.0 + 1e-12);
}

} // namespace
} // namespace forewarp::models::example
