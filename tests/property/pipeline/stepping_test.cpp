// Which schedulers are stepped when changes nothing: with bounds that never bind all are stepped whenever a
// unit of the SM becomes free, without bounds only those that may find something.
#include "pipeline/program_source.h"
#include "pipeline/simulator.h"

#include <gtest/gtest.h>

#include <random>

namespace forewarp::pipeline {
namespace {

constexpr std::uint32_t registers = 24;

/// Two units a scheduler and two of the SM; some instructions may take either, some are barriers or wait for
/// the server.
std::shared_ptr<const Program> random_program(std::mt19937_64& random) {
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  auto program = std::make_shared<Program>();
  program->register_count = registers;
  for (unsigned i = 0; i < 200; ++i) {
    Instruction instruction;
    instruction.subsystem = static_cast<std::uint16_t>(below(4));
    if (below(4) == 0)
      instruction.second_subsystem = static_cast<std::int16_t>(below(4));
    instruction.memory = instruction.subsystem == 3;
    instruction.server_cycles[0] = instruction.memory ? 2.5F : 0;
    instruction.source_count = static_cast<std::uint8_t>(below(4));
    for (unsigned s = 0; s < instruction.source_count; ++s)
      instruction.sources[s] = below(registers);
    instruction.destination = below(5) == 0 ? no_register : below(registers);
    instruction.lambda_cycles = 0.5F * static_cast<float>(1 + below(8));
    instruction.latency_cycles = static_cast<float>(below(instruction.memory ? 300 : 20));
    if (below(25) == 0)
      instruction.kind = Instruction::Kind::barrier;
    program->instructions.push_back(instruction);
  }
  return program;
}

struct Issued final : Listener {
  std::vector<std::array<double, 4>> events;
  void on_issue(const IssueEvent& event) override {
    events.push_back({event.issue_cycle, static_cast<double>(event.group), static_cast<double>(event.warp),
                      static_cast<double>(event.instance)});
  }
};

TEST(Stepping, BoundsThatNeverBindChangeNothing) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 120; ++round) {
    Configuration configuration;
    configuration.subsystems = {{"alu", true}, {"sfu", true}, {"double", false}, {"memory", false}};
    configuration.servers = {"dram"};
    configuration.schedulers = 1 + round % 5;
    configuration.issue_per_cycle_per_scheduler = round % 3 == 0 ? 0.5 : 1;
    configuration.policy = static_cast<SchedulerPolicy>(round % 4);
    configuration.concurrent_groups = 1 + round % 7;
    configuration.barrier_latency_cycles = round % 2 * 11;
    const auto program = random_program(random);
    const unsigned warps = 1 + static_cast<unsigned>(random() % 6), groups = 12;
    Issued without, with;
    ProgramSource some(program, warps, groups), same(program, warps, groups);
    const auto unbounded = simulate(configuration, some, &without);
    configuration.max_outstanding_memory = 1'000'000;
    configuration.server_backlog_cycles[0] = 1e12;
    const auto bounded = simulate(configuration, same, &with);
    ASSERT_TRUE(unbounded && bounded);
    EXPECT_EQ(unbounded->cycles, bounded->cycles) << "round " << round;
    EXPECT_EQ(unbounded->stall_cycles, bounded->stall_cycles) << "round " << round;
    ASSERT_EQ(without.events, with.events) << "round " << round;
  }
}

} // namespace
} // namespace forewarp::pipeline
