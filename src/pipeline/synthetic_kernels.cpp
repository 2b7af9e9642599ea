#include "pipeline/synthetic_kernels.h"

#include <algorithm>

namespace forewarp::pipeline {
namespace {

using facts::FlowNode;
using facts::ModelClassKind;

facts::ModelFacts launched(const char* kernel, const SyntheticLaunch& launch) {
  facts::ModelFacts facts;
  facts.kernel = kernel;
  facts.groups = launch.groups;
  facts.warps_per_group = launch.warps_per_group;
  facts.concurrent_groups = launch.concurrent_groups;
  facts.issue_limit = launch.issue_limit;
  return facts;
}

void add_class(facts::ModelFacts& facts, const char* name, ModelClassKind kind, std::uint32_t subsystem,
               double count, InstructionTiming timing) {
  facts.mix.push_back({.name = name,
                       .kind = kind,
                       .subsystem = subsystem,
                       .count_per_warp = count,
                       .lambda_cycles = timing.lambda_cycles,
                       .latency_cycles = timing.latency_cycles});
}

facts::ModelInstruction instruction(std::uint32_t mix_class, InstructionTiming timing,
                                    std::vector<std::uint32_t> after) {
  return {mix_class, timing.lambda_cycles, timing.latency_cycles, std::move(after)};
}

FlowNode node(FlowNode::Kind kind, double count, InstructionTiming timing) {
  return {.kind = kind,
          .count = count,
          .lambda_cycles = timing.lambda_cycles,
          .latency_cycles = timing.latency_cycles};
}
FlowNode loop(double trips, std::vector<FlowNode> body) {
  return {.kind = FlowNode::Kind::loop, .trips = trips, .paths = {{1, std::move(body)}}};
}

} // namespace

facts::ModelFacts instruction_mix(unsigned beta, unsigned repeats, InstructionTiming type1,
                                  InstructionTiming type2, bool one_subsystem,
                                  const SyntheticLaunch& launch) {
  facts::ModelFacts facts = launched("instruction_mix", launch);
  facts.subsystems =
      one_subsystem ? std::vector<std::string>{"unit"} : std::vector<std::string>{"type1", "type2"};
  add_class(facts, "type1", ModelClassKind::compute, 0, static_cast<double>(beta) * repeats, type1);
  add_class(facts, "type2", ModelClassKind::compute, one_subsystem ? 0 : 1, repeats, type2);
  facts::WarpGraph graph;
  for (unsigned i = 0; i < (beta + 1) * repeats; ++i) {
    const bool second = i % (beta + 1) == beta;
    graph.instructions.push_back(
        instruction(second, second ? type2 : type1,
                    i ? std::vector<std::uint32_t>{i - 1} : std::vector<std::uint32_t>{}));
  }
  facts.graphs = {std::move(graph)};
  facts.flow = {
      loop(repeats, {node(FlowNode::Kind::compute, beta, type1), node(FlowNode::Kind::compute, 1, type2)})};
  return facts;
}

double instruction_mix_ipc_one(double beta, double lambda1, double lambda2) {
  return beta / (beta * lambda1 + lambda2);
}
double instruction_mix_ipc_two(double beta, double lambda1, double lambda2) {
  return std::min(1 / lambda1, beta / lambda2);
}
double instruction_mix_ipc_limited(double beta, double lambda1, double lambda2, double issue_limit) {
  return std::min(instruction_mix_ipc_two(beta, lambda1, lambda2), beta / (beta + 1) * issue_limit);
}

facts::ModelFacts iterative_barrier(unsigned repeats, InstructionTiming computation,
                                    InstructionTiming barrier, const SyntheticLaunch& launch) {
  facts::ModelFacts facts = launched("iterative_barrier", launch);
  facts.subsystems = {"compute", "barrier"};
  facts.barriers_per_warp = repeats;
  add_class(facts, "computation", ModelClassKind::compute, 0, repeats, computation);
  add_class(facts, "barrier", ModelClassKind::barrier, 1, repeats, barrier);
  facts::WarpGraph graph;
  for (unsigned i = 0; i < 2 * repeats; ++i) {
    const bool is_barrier = i % 2 == 1;
    graph.instructions.push_back(
        instruction(is_barrier, is_barrier ? barrier : computation,
                    i ? std::vector<std::uint32_t>{i - 1} : std::vector<std::uint32_t>{}));
  }
  facts.graphs = {std::move(graph)};
  facts.flow = {loop(
      repeats, {node(FlowNode::Kind::compute, 1, computation), node(FlowNode::Kind::barrier, 1, barrier)})};
  return facts;
}

facts::ModelFacts memory_parallelism(unsigned loads_in_flight, unsigned repeats, InstructionTiming load,
                                     const SyntheticLaunch& launch) {
  facts::ModelFacts facts = launched("memory_parallelism", launch);
  facts.subsystems = {"memory"};
  facts.ilp = loads_in_flight;
  add_class(facts, "load", ModelClassKind::memory, 0, static_cast<double>(loads_in_flight) * repeats, load);
  facts::WarpGraph graph;
  for (unsigned i = 0; i < loads_in_flight * repeats; ++i)
    graph.instructions.push_back(instruction(0, load,
                                             i >= loads_in_flight
                                                 ? std::vector<std::uint32_t>{i - loads_in_flight}
                                                 : std::vector<std::uint32_t>{}));
  facts.graphs = {std::move(graph)};
  std::vector<FlowNode> body;
  for (std::uint32_t i = 1; i <= loads_in_flight; ++i) {
    FlowNode access = node(FlowNode::Kind::memory, 1, load);
    access.id = i;
    access.uses = {i}; // its own last iteration
    body.push_back(access);
  }
  facts.flow = {loop(repeats, std::move(body))};
  return facts;
}

} // namespace forewarp::pipeline
