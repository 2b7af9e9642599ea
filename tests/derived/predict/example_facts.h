// P's example kernel (Lemeire et al., Table 2) as facts: a_comp 4, a_mem 2, l_comp 1, L_comp 4, l_mem 2,
// L_mem 6, and the dependence variant V1: C1, C2 -> M1 -> C3 -> C4 -> M2 (V2: C1 -> C2 -> M1 -> C3, C4 ->
// M2).
#pragma once

#include "predict/published/model.h"

#include <gtest/gtest.h>

namespace forewarp::models::example {

inline facts::ModelFacts two_subsystems(double alpha_comp, double l_comp, double L_comp, double alpha_mem,
                                        double l_mem, double L_mem, double warps) {
  facts::ModelFacts facts;
  facts.kernel = "example";
  facts.groups = 1;
  facts.concurrent_groups = 1;
  facts.warps_per_group = warps;
  facts.subsystems = {"compute", "memory"};
  facts.mix = {{.name = "C",
                .kind = facts::ModelClassKind::compute,
                .subsystem = 0,
                .count_per_warp = alpha_comp,
                .lambda_cycles = l_comp,
                .latency_cycles = L_comp},
               {.name = "M",
                .kind = facts::ModelClassKind::memory,
                .subsystem = 1,
                .count_per_warp = alpha_mem,
                .lambda_cycles = l_mem,
                .latency_cycles = L_mem}};
  return facts;
}

inline facts::FlowNode compute(double count, double ilp, double lambda = 1, double latency = 4) {
  return {.kind = facts::FlowNode::Kind::compute,
          .count = count,
          .ilp = ilp,
          .lambda_cycles = lambda,
          .latency_cycles = latency};
}
inline facts::FlowNode load(std::uint32_t id, double lambda = 2, double latency = 6) {
  return {
      .kind = facts::FlowNode::Kind::memory, .id = id, .lambda_cycles = lambda, .latency_cycles = latency};
}
inline facts::FlowNode using_loads(facts::FlowNode node, std::vector<std::uint32_t> ids) {
  node.uses = std::move(ids);
  return node;
}

inline facts::ModelFacts kernel(double warps, int variant = 1) {
  facts::ModelFacts facts = two_subsystems(4, 1, 4, 2, 2, 6, warps);
  facts::WarpGraph graph;
  const auto c = [](std::vector<std::uint32_t> p) { return facts::ModelInstruction{0, 1, 4, std::move(p)}; };
  const auto m = [](std::vector<std::uint32_t> p) { return facts::ModelInstruction{1, 2, 6, std::move(p)}; };
  if (variant == 1)
    graph.instructions = {c({}), c({}), m({0, 1}), c({2}), c({3}), m({4})};
  else
    graph.instructions = {c({}), c({0}), m({1}), c({2}), c({2}), m({3, 4})};
  facts.graphs = {graph};
  facts.ilp = 6.0 / 5; // the longest chain has five of the six
  const double first_ilp = variant == 1 ? 2 : 1, second_ilp = variant == 1 ? 1 : 2;
  facts.flow = {compute(2, first_ilp), load(1), using_loads(compute(2, second_ilp), {1}), load(2)};
  return facts;
}

inline gpu::Machine machine() {
  gpu::Machine gpu;
  gpu.sm_count = 1;
  gpu.sm_clock_mhz = 1000;
  return gpu;
}

inline ModelPrediction predict(std::string_view model, const facts::ModelFacts& facts,
                               ModelOptions options = {}) {
  const auto found = find_model(model);
  EXPECT_TRUE(found.has_value());
  const auto prediction = found->predict(facts, machine(), options);
  EXPECT_TRUE(prediction.has_value()) << (prediction ? "" : to_string(prediction.error()));
  return prediction ? *prediction : ModelPrediction{};
}
inline double step(const ModelPrediction& prediction, std::string_view symbol) {
  for (const Step& step : prediction.steps)
    if (step.symbol == symbol)
      return step.value;
  ADD_FAILURE() << "no step '" << symbol << "'";
  return -1;
}

} // namespace forewarp::models::example
