#include "predict/published/memory_mapper.h"

#include "example_facts.h"

namespace forewarp::models::example {
namespace {

// P Table 5, ld.global.s32 of the GTX 1060: lambda 12, Lambda 345; an L2 of 4 and 200 for the example.
TEST(MemoryMapper, GlobalMemoryByRatio) {
  const MemoryTimes dram{12, 345}, l2{4, 200};
  EXPECT_DOUBLE_EQ(map_global_memory(0.25, dram, l2).lambda_cycles, 6);       // 3 + 3
  EXPECT_DOUBLE_EQ(map_global_memory(0.25, dram, l2).latency_cycles, 236.25); // 86.25 + 150
  EXPECT_DOUBLE_EQ(map_global_memory(1, dram, l2).lambda_cycles, 12);
  EXPECT_DOUBLE_EQ(map_global_memory(1, dram, l2).latency_cycles, 345);
  EXPECT_DOUBLE_EQ(map_global_memory(3, dram, l2).lambda_cycles, 36);
  EXPECT_DOUBLE_EQ(map_global_memory(3, dram, l2).latency_cycles, 369); // 345 + 2 * 12
}
TEST(MemoryMapper, BankConflicts) {
  EXPECT_DOUBLE_EQ(map_shared_memory(0, {1, 25}).lambda_cycles, 1);
  EXPECT_DOUBLE_EQ(map_shared_memory(3, {1, 25}).lambda_cycles, 4);
  EXPECT_DOUBLE_EQ(map_shared_memory(3, {1, 25}).latency_cycles, 28);
}

// P Table 6 from Table 5's lambda of ld.global and the SMs and clocks that the notes give.
TEST(MemoryMapper, ThroughputsOfTable6) {
  EXPECT_NEAR(load_throughput_gbps(14, 32, 23, 1.15), 89.6, 0.05);
  EXPECT_NEAR(load_throughput_gbps(4, 32, 7.5, 1.03), 70.5, 0.3);
  EXPECT_NEAR(load_throughput_gbps(3, 32, 18, 1.06), 22.6, 0.05);
  EXPECT_NEAR(load_throughput_gbps(10, 32, 12, 1.506), 160.6, 0.05);
  EXPECT_NEAR(load_throughput_gbps(36, 32, 18, 1.125), 288, 0.05);
  EXPECT_NEAR(load_throughput_gbps(28, 64, 42, 1.008), 172, 0.05);
}

// The example's flow, found from its graph: blocks C1 C2 (ILP 2 in V1), C3 C4 with the arc from M1, and both
// loads.
TEST(FlowFromGraph, ExampleKernel) {
  for (const int variant : {1, 2}) {
    facts::ModelFacts facts = kernel(3, variant);
    facts.flow = flow_from_graph(facts, facts.graphs[0]);
    ASSERT_EQ(facts.flow.size(), variant == 1 ? 4u : 5u); // V2: C4 uses M1 too and starts a block
    EXPECT_DOUBLE_EQ(facts.flow[0].ilp, variant == 1 ? 2 : 1);
    EXPECT_EQ(facts.flow[2].uses, (std::vector<std::uint32_t>{3})); // M1 is instruction 3
    if (variant == 1) {
      EXPECT_NEAR(predict("wfg", facts).cycles_per_run, 23 + 1.0 / 3, 1e-9);
      EXPECT_NEAR(predict("wfg_corrected", facts).cycles_per_run, 26, 1e-9);
    }
  }
}
TEST(FlowFromGraph, Ilp) {
  const facts::WarpGraph graph = kernel(1, 1).graphs[0];
  EXPECT_DOUBLE_EQ(ilp_of(graph, 0, 6), 6.0 / 5);
  EXPECT_DOUBLE_EQ(ilp_of(graph, 0, 2), 2);
  EXPECT_DOUBLE_EQ(ilp_of(graph, 3, 5), 1);
  EXPECT_DOUBLE_EQ(ilp_of(graph, 2, 2), 1);
}

// W Eq. 1: two groups, a path that half of a group's 8 warps take: local 4 of 8 x share, average over the
// nodes. 16 warps resident; path (share 0.5): 10 instructions, rest: 30. WLP_avg = 16 (30 + 10 * 0.5 * 0.5) /
// (30 + 5).
TEST(Wfg, EffectiveParallelism) {
  facts::ModelFacts facts = two_subsystems(35, 1, 40, 1, 2, 100, 8);
  facts.groups = facts.concurrent_groups = 2;
  facts::FlowNode branch{.kind = facts::FlowNode::Kind::branch,
                         .paths = {{0.5, {compute(10, 1, 1, 40)}}, {0.5, {}}}};
  facts.flow = {compute(30, 1, 1, 40), branch, load(1, 2, 100)};
  const ModelPrediction prediction = predict("wfg", facts);
  // Eq. 7: the region contains n = 30 + the load, the path p = 10 with rho = 0.5: contained, not executed.
  const double average = 16 * (31 + 10 * 0.5) / 41.0;
  EXPECT_NEAR(step(prediction, "WLP_avg"), average, 1e-12);
  const double whole = 30 * std::max(1.0, 40 / ((16 + average) / 2));
  const double path = 0.5 * 10 * std::max(1.0, 40 / ((8 + average) / 2));
  EXPECT_NEAR(step(prediction, "CYC_comp"), whole + path + 1, 1e-9);
}

} // namespace
} // namespace forewarp::models::example
