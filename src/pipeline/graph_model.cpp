#include "pipeline/graph_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace forewarp::pipeline {
namespace {

constexpr std::size_t max_sources = std::tuple_size_v<decltype(Instruction::sources)>;

/// Hands out registers, lowest free one first.
class Registers {
public:
  std::uint32_t take() {
    if (free_.empty())
      return count_++;
    const std::uint32_t lowest = free_.back();
    free_.pop_back();
    return lowest;
  }
  void give_back(std::uint32_t index) { free_.push_back(index); }
  std::uint32_t count() const { return count_; }

private:
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

std::vector<std::size_t> last_uses(const facts::WarpGraph& graph) {
  std::vector<std::size_t> last(graph.instructions.size(), 0);
  for (std::size_t i = 0; i < last.size(); ++i)
    for (const std::uint32_t predecessor : graph.instructions[i].predecessors)
      last[predecessor] = i;
  return last;
}

/// Leaves at most six sources, the others behind joins.
void join_sources(std::vector<std::uint32_t>& sources, std::uint16_t subsystem, Registers& registers,
                  Program& program) {
  while (sources.size() > max_sources) {
    Instruction join;
    join.subsystem = subsystem;
    join.lambda_cycles = join.latency_cycles = 0;
    join.source_count = max_sources;
    std::copy_n(sources.begin(), max_sources, join.sources.begin());
    join.destination = registers.take();
    sources.erase(sources.begin(), sources.begin() + max_sources);
    sources.push_back(join.destination); // never given back: joins are rare
    program.instructions.push_back(join);
  }
}

unsigned at_least_one(double value) {
  return static_cast<unsigned>(std::max(1.0, std::round(value)));
}

/// Cycles of groups that were not simulated, from the rate at which groups ended while slots were refilled.
double extrapolated_cycles(const Outcome& outcome, double missing_groups, double gamma) {
  std::vector<double> ends = outcome.group_finish_cycles;
  std::sort(ends.begin(), ends.end());
  const double last_start = outcome.group_start_cycles.back();
  const auto first = static_cast<std::ptrdiff_t>(gamma) - 1;
  const auto last = std::upper_bound(ends.begin(), ends.end(), last_start) - ends.begin() - 1;
  if (last <= first || ends[static_cast<std::size_t>(last)] <= ends[static_cast<std::size_t>(first)])
    return missing_groups * outcome.cycles / static_cast<double>(ends.size());
  const double span = ends[static_cast<std::size_t>(last)] - ends[static_cast<std::size_t>(first)];
  return missing_groups * span / static_cast<double>(last - first);
}

/// Cycles that the busiest subsystem or the issue limit needs for what was simulated: an extrapolation cannot
/// be faster.
double throughput_bound_cycles(const Outcome& outcome, const Configuration& configuration) {
  double cycles = 0;
  for (const double busy : outcome.subsystem_busy_cycles)
    cycles = std::max(cycles, busy);
  if (configuration.issue_limit_per_sm > 0)
    cycles = std::max(cycles, outcome.instructions / configuration.issue_limit_per_sm);
  return cycles;
}

} // namespace

Program program_from_graph(const facts::ModelFacts& facts, const facts::WarpGraph& graph) {
  Program program;
  program.instructions.reserve(graph.instructions.size());
  Registers registers;
  const std::vector<std::size_t> last = last_uses(graph);
  std::vector<std::uint32_t> register_of(graph.instructions.size(), no_register);
  for (std::size_t i = 0; i < graph.instructions.size(); ++i) {
    const facts::ModelInstruction& node = graph.instructions[i];
    const facts::ModelClass& row = facts.mix[node.mix_class];
    std::vector<std::uint32_t> sources;
    for (const std::uint32_t predecessor : node.predecessors)
      sources.push_back(register_of[predecessor]);
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    const auto subsystem = static_cast<std::uint16_t>(row.subsystem);
    join_sources(sources, subsystem, registers, program);
    Instruction instruction;
    instruction.kind =
        row.kind == facts::ModelClassKind::barrier ? Instruction::Kind::barrier : Instruction::Kind::normal;
    instruction.memory = row.kind == facts::ModelClassKind::memory;
    instruction.posted = instruction.memory && !row.waited;
    instruction.subsystem = subsystem;
    instruction.lambda_cycles = static_cast<float>(node.lambda_cycles);
    instruction.latency_cycles = static_cast<float>(node.latency_cycles);
    instruction.tag = static_cast<std::uint32_t>(node.mix_class);
    instruction.source_count = static_cast<std::uint8_t>(sources.size());
    std::copy(sources.begin(), sources.end(), instruction.sources.begin());
    for (const std::uint32_t predecessor : node.predecessors)
      if (last[predecessor] == i && register_of[predecessor] != no_register) {
        registers.give_back(register_of[predecessor]);
        register_of[predecessor] = no_register; // listed twice: given back once
      }
    if (last[i] > i)
      instruction.destination = register_of[i] = registers.take();
    program.instructions.push_back(instruction);
  }
  program.register_count = registers.count();
  return program;
}

Configuration configuration_from_facts(const facts::ModelFacts& facts, const GraphModelOptions& options) {
  Configuration configuration;
  for (const std::string& name : facts.subsystems)
    configuration.subsystems.push_back({name, false});
  configuration.issue_per_cycle_per_scheduler = 0;
  configuration.issue_limit_per_sm = facts.issue_limit;
  configuration.policy = options.policy;
  configuration.barrier_latency_cycles = options.barrier_latency_cycles;
  configuration.concurrent_groups =
      at_least_one(options.concurrent_groups > 0 ? options.concurrent_groups : facts.concurrent_groups);
  configuration.tag_count = static_cast<std::uint32_t>(facts.mix.size());
  return configuration;
}

Result<GraphModelResult> simulate_graphs(const facts::ModelFacts& facts, double groups,
                                         const GraphModelOptions& options) {
  if (facts.graphs.empty() || facts.subsystems.empty())
    return fail(ErrorCode::bad_input, "model 'pipeline' needs the warps' dependence graphs", "facts: graphs",
                "give the key 'graphs' in the file of --facts, or predict from a source, which supplies it");
  const Configuration configuration = configuration_from_facts(facts, options);
  std::vector<std::shared_ptr<const Program>> programs;
  for (const facts::WarpGraph& graph : facts.graphs)
    programs.push_back(std::make_shared<const Program>(program_from_graph(facts, graph)));
  std::vector<std::shared_ptr<const Program>> warps;
  for (unsigned i = 0; i < at_least_one(facts.warps_per_group); ++i)
    warps.push_back(programs[i < facts.warp_graphs.size() ? facts.warp_graphs[i] : 0]);

  const double asked = std::max(1.0, groups);
  const double gamma = configuration.concurrent_groups;
  double simulated = std::ceil(asked);
  if (options.simulated_waves > 0)
    simulated = std::min(simulated, std::ceil(options.simulated_waves * gamma));
  ProgramSource source(warps, static_cast<std::uint64_t>(simulated));
  auto outcome = simulate(configuration, source, options.listener);
  FOREWARP_TRY(outcome);
  GraphModelResult result;
  result.simulated_groups = simulated;
  result.cycles = outcome->cycles;
  if (asked > simulated)
    result.cycles = std::max(result.cycles + extrapolated_cycles(*outcome, asked - simulated, gamma),
                             throughput_bound_cycles(*outcome, configuration) * asked / simulated);
  result.warps_per_cycle = std::max(asked, simulated) * static_cast<double>(warps.size()) / result.cycles;
  result.outcome = std::move(*outcome);
  return result;
}

} // namespace forewarp::pipeline
