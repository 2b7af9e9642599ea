// Small programs for the simulator's tests.
#pragma once

#include "pipeline/program_source.h"

#include <gtest/gtest.h>

namespace forewarp::pipeline::testing {

inline Instruction op(unsigned subsystem, float lambda, float latency,
                      std::uint32_t destination = no_register, std::vector<std::uint32_t> sources = {}) {
  Instruction instruction;
  instruction.subsystem = static_cast<std::uint16_t>(subsystem);
  instruction.lambda_cycles = lambda;
  instruction.latency_cycles = latency;
  instruction.destination = destination;
  instruction.source_count = static_cast<std::uint8_t>(sources.size());
  std::copy(sources.begin(), sources.end(), instruction.sources.begin());
  return instruction;
}
inline Instruction barrier(float latency = 0) {
  Instruction instruction = op(0, 0, latency);
  instruction.kind = Instruction::Kind::barrier;
  return instruction;
}
inline std::shared_ptr<const Program> program(std::vector<Instruction> instructions,
                                              std::uint32_t registers = 16) {
  return std::make_shared<const Program>(Program{std::move(instructions), registers});
}

struct Issues : Listener {
  std::vector<IssueEvent> events;
  std::vector<StallEvent> stalls;
  std::vector<double> releases;
  void on_issue(const IssueEvent& event) override { events.push_back(event); }
  void on_stall(const StallEvent& event) override { stalls.push_back(event); }
  void on_barrier_release(const GroupEvent& event) override { releases.push_back(event.cycle); }
  std::vector<double> cycles_of(std::uint32_t group, std::uint32_t warp) const {
    std::vector<double> cycles;
    for (const IssueEvent& event : events)
      if (event.group == group && event.warp == warp)
        cycles.push_back(event.issue_cycle);
    return cycles;
  }
};

inline Configuration one_pipe(double issue_limit = 1) {
  Configuration configuration;
  configuration.subsystems = {{"alu", true}, {"memory", false}};
  configuration.issue_per_cycle_per_scheduler = issue_limit;
  configuration.policy = SchedulerPolicy::oldest_first;
  return configuration;
}

inline Outcome run(const Configuration& configuration, std::vector<std::shared_ptr<const Program>> warps,
                   std::uint64_t groups = 1, Listener* listener = nullptr) {
  ProgramSource source(std::move(warps), groups);
  auto outcome = simulate(configuration, source, listener);
  EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : to_string(outcome.error()));
  return outcome ? *outcome : Outcome{};
}

} // namespace forewarp::pipeline::testing
