// W Fig. 1 (Baghsorkhi et al. 2010): x = A[tid] + y = two address computations, a load, an addition. Warp 32
// on 8 lanes: 4 cycles an instruction; pipeline 24; 16 warps; load 128 B at 4 B/cycle = 32 cycles; latency
// 250. Latency_comp = max(1, 24 / (4 * 1 * 16)) = 1; CYC_compute = 8 + 4 + 4 = 16; NBC = 16 / 2 = 8;
// Latency_BW = (32 - 16) / 1 + 4 = 20; exposed = 250 - 15 * 8 = 130; total = 8 + 130 + 4 = 142.
#include "example_facts.h"

namespace forewarp::models::example {
namespace {

TEST(WExample, Figure1) {
  facts::ModelFacts facts = two_subsystems(3, 4, 24, 1, 32, 250, 16);
  facts.flow = {compute(2, 1, 4, 24), load(1, 32, 250), using_loads(compute(1, 1, 4, 24), {1})};
  const ModelPrediction prediction = predict("wfg", facts);
  EXPECT_DOUBLE_EQ(step(prediction, "CYC_comp"), 16);
  EXPECT_DOUBLE_EQ(step(prediction, "NBC_avg"), 8);
  EXPECT_DOUBLE_EQ(step(prediction, "CYC_mem"), 32);
  EXPECT_DOUBLE_EQ(step(prediction, "lambda_mem_trans"), 20);
  EXPECT_DOUBLE_EQ(step(prediction, "Lambda_exposed"), 130);
  EXPECT_DOUBLE_EQ(step(prediction, "CPW"), 142);
}

} // namespace
} // namespace forewarp::models::example
