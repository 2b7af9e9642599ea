// P's example kernel (Lemeire et al., Fig. 1, Table 2) in the two dependence variants that its text allows;
// the figure is missing. V1: C1, C2 -> M1 -> C3 -> C4 -> M2. V2: C1 -> C2 -> M1 -> C3, C4 -> M2.
#pragma once

#include "pipeline/program_source.h"

#include <gtest/gtest.h>

namespace forewarp::pipeline::example {

inline Instruction compute(std::uint32_t destination, std::vector<std::uint32_t> sources = {}) {
  Instruction instruction;
  instruction.subsystem = 0;
  instruction.lambda_cycles = 1;
  instruction.latency_cycles = 4;
  instruction.destination = destination;
  instruction.source_count = static_cast<std::uint8_t>(sources.size());
  std::copy(sources.begin(), sources.end(), instruction.sources.begin());
  return instruction;
}
inline Instruction memory(std::uint32_t destination, std::vector<std::uint32_t> sources) {
  Instruction instruction = compute(destination, std::move(sources));
  instruction.subsystem = 1;
  instruction.memory = true;
  instruction.lambda_cycles = 2;
  instruction.latency_cycles = 6;
  return instruction;
}

inline std::shared_ptr<const Program> variant(int which) {
  Program program;
  program.register_count = 6;
  if (which == 1)
    program.instructions = {compute(0),      compute(1),      memory(2, {0, 1}),
                            compute(3, {2}), compute(4, {3}), memory(5, {4})};
  else
    program.instructions = {compute(0),      compute(1, {0}), memory(2, {1}),
                            compute(3, {2}), compute(4, {2}), memory(5, {3, 4})};
  for (std::uint32_t i = 0; i < 6; ++i)
    program.instructions[i].tag = i;
  return std::make_shared<const Program>(program);
}

/// Compute and memory pipelines of one core, no issue limit (with a limit of 1 no curve could exceed 1/6).
inline Configuration core(SchedulerPolicy policy, unsigned warps) {
  Configuration configuration;
  configuration.subsystems = {{"compute", false}, {"memory", false}};
  configuration.issue_per_cycle_per_scheduler = 0;
  configuration.policy = policy;
  configuration.concurrent_groups = warps;
  return configuration;
}

inline double cycles_per_run(int which, SchedulerPolicy policy, unsigned warps, Listener* listener = nullptr,
                             unsigned total = 0) {
  ProgramSource source(variant(which), 1, total ? total : warps);
  auto outcome = simulate(core(policy, warps), source, listener);
  EXPECT_TRUE(outcome.has_value());
  return outcome ? outcome->cycles : -1;
}

} // namespace forewarp::pipeline::example
