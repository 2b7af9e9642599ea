// Speed of the Pipeline simulator: one run of 10,000 instructions a warp and 64 warps on four schedulers, by
// policy.
#include "pipeline/program_source.h"
#include "pipeline/simulator.h"

#include <benchmark/benchmark.h>

#include <memory>

namespace {

using namespace forewarp::pipeline;

constexpr std::uint32_t instructions_per_warp = 10'000;
constexpr unsigned warps = 64;

/// Three multiply-adds for each load; every fourth operation needs the one before it, loads are needed soon
/// after.
std::shared_ptr<const Program> mixed_program() {
  auto program = std::make_shared<Program>();
  program->register_count = 64;
  for (std::uint32_t i = 0; i < instructions_per_warp; ++i) {
    const bool load = i % 4 == 0;
    Instruction instruction;
    instruction.subsystem = load ? 1 : 0;
    instruction.source_count = 1;
    instruction.sources[0] = (i + (i % 4 == 3 ? 63 : 56)) % 64;
    instruction.destination = i % 64;
    instruction.lambda_cycles = load ? 1.0F : 2.0F;
    instruction.latency_cycles = load ? 30.0F : 4.0F;
    instruction.memory = load;
    program->instructions.push_back(instruction);
  }
  return program;
}

void simulate_policy(benchmark::State& state, SchedulerPolicy policy) {
  Configuration configuration;
  configuration.subsystems = {{"alu", true}, {"memory", false}};
  configuration.schedulers = 4;
  configuration.policy = policy;
  configuration.concurrent_groups = warps / 8;
  const auto program = mixed_program();
  for (auto run : state) {
    ProgramSource source(program, 8, warps / 8);
    auto outcome = simulate(configuration, source);
    benchmark::DoNotOptimize(outcome);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * instructions_per_warp * warps);
}

BENCHMARK_CAPTURE(simulate_policy, greedy_then_oldest, SchedulerPolicy::greedy_then_oldest)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate_policy, round_robin, SchedulerPolicy::round_robin)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate_policy, two_level, SchedulerPolicy::two_level)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulate_policy, oldest_first, SchedulerPolicy::oldest_first)
    ->Unit(benchmark::kMillisecond);

} // namespace
