#include "predict/simulated/pipeline.h"

#include "predict/builtin.h"
#include "support/named.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace forewarp::predict {
namespace {

using pipeline::StallCause;

/// Warp instructions that one run simulates at most, in waves of resident groups.
constexpr double budget_instructions = 1.5e6;
constexpr double most_waves = 6, least_waves = 2;
/// As the default predictor: a resource in use for this share of the time is the limiter.
constexpr double limiter_share = 0.7;

double mean_graph_length(const facts::ModelFacts& facts) {
  if (facts.warp_graphs.empty())
    return static_cast<double>(facts.graphs.front().instructions.size());
  double length = 0;
  for (const std::uint32_t graph : facts.warp_graphs)
    length += static_cast<double>(facts.graphs[graph].instructions.size());
  return length / static_cast<double>(facts.warp_graphs.size());
}

/// Mix / graphs: graphs may be cut, and the sampled group may differ from the mean one.
double scale_of(const facts::ModelFacts& facts) {
  double count = 0;
  for (const facts::ModelClass& row : facts.mix)
    count += row.count_per_warp;
  const double scale = count / std::max(1.0, mean_graph_length(facts));
  return scale > 0 ? scale : 1;
}

const char* stall_limiter(StallCause cause) {
  switch (cause) {
  case StallCause::dependence_memory:
    return "memory_latency";
  case StallCause::dependence_arithmetic:
    return "compute_latency";
  case StallCause::barrier:
    return "barrier";
  case StallCause::issue_slot:
    return "issue";
  default:
    return "subsystem_busy";
  }
}

std::string limiter_of(const facts::ModelFacts& facts, const pipeline::Outcome& outcome) {
  const auto busiest =
      std::max_element(outcome.subsystem_busy_cycles.begin(), outcome.subsystem_busy_cycles.end());
  const auto index = static_cast<std::size_t>(busiest - outcome.subsystem_busy_cycles.begin());
  if (*busiest >= limiter_share * outcome.cycles)
    return facts.subsystems[index];
  if (facts.issue_limit > 0 && outcome.instructions >= limiter_share * outcome.cycles * facts.issue_limit)
    return "issue";
  const auto cause = std::max_element(outcome.stall_cycles.begin(), outcome.stall_cycles.end());
  return stall_limiter(static_cast<StallCause>(cause - outcome.stall_cycles.begin()));
}

void explain(const facts::ModelFacts& facts, const pipeline::GraphModelResult& run, double groups,
             double scale, models::ModelPrediction& out) {
  const auto add = [&](std::string equation, std::string symbol, double value, std::string unit,
                       std::string formula) {
    out.steps.push_back({std::move(equation), std::move(symbol), value, std::move(unit), std::move(formula)});
  };
  const pipeline::Outcome& outcome = run.outcome;
  add("P section 3.1.1", "instructions of graph 0",
      static_cast<double>(facts.graphs.front().instructions.size()), "instructions",
      fmt::format("{} graphs", facts.graphs.size()));
  add("P section 3.2", "groups", groups, "groups",
      fmt::format("on one SM, {:g} of them simulated", run.simulated_groups));
  add("P section 3.2", "simulated cycles", outcome.cycles, "cycles",
      fmt::format("{:g} instructions issued", outcome.instructions));
  for (std::size_t s = 0; s < facts.subsystems.size(); ++s)
    if (outcome.subsystem_instructions[s] > 0)
      add("P section 3.2", "fill rate of " + facts.subsystems[s],
          outcome.subsystem_busy_cycles[s] / outcome.cycles, "1",
          fmt::format("{:g} busy cycles / {:g}", outcome.subsystem_busy_cycles[s], outcome.cycles));
  for (std::size_t c = 0; c < outcome.stall_cycles.size(); ++c)
    add("P section 3.3", fmt::format("stall {}", to_string(static_cast<StallCause>(c))),
        outcome.stall_cycles[c], "warp-cycles", "summed over warps");
  if (std::abs(scale - 1) > 1e-9)
    add("facts", "graph scale", scale, "1", "instructions of the mix / of the graphs");
  add("P Table 2", "WPC", out.warps_per_cycle, "warps/cycle", "warps / cycles");
  add("P section 2", "cycles", out.cycles, "cycles", "rest at the rate at which groups ended");
  add("P section 2", "time", out.time_ms, "ms", "cycles / clock");
}

Predictor simulator(const char* name, const facts::ModelFacts* FactSet::* facts_of) {
  const std::string own_name = name;
  return {.name = own_name,
          .source = "Lemeire, Cornelis, Konstantinidis",
          .rung = Rung::published,
          .gives = {.equations = true},
          .simulates = true,
          .predict = [own_name, facts_of](const FactSet& facts, const Options& options) -> Result<Answer> {
            const auto policy = scheduler_named(options.scheduler);
            FOREWARP_TRY(policy);
            auto prediction = simulate_model(own_name, *(facts.*facts_of), facts.machine,
                                             options.concurrent_groups, *policy);
            FOREWARP_TRY(prediction);
            return Answer{
                prediction->time_ms, prediction->cycles, prediction->limiter, *std::move(prediction), {}};
          }};
}

} // namespace

Predictor pipeline() {
  Predictor row = simulator("pipeline", &FactSet::model);
  row.needs = {.model_facts = true};
  row.aspects = models::Aspects{true, true, true, true, true, true, true, true, true};
  return row;
}

Predictor pipeline_context_independent() {
  Predictor row = simulator("pipeline_context_independent", &FactSet::independent);
  row.needs = {.independent_facts = true};
  return row;
}

Result<pipeline::SchedulerPolicy> scheduler_named(const std::string& name) {
  using Policy = pipeline::SchedulerPolicy;
  struct Row {
    const char* name;
    Policy policy;
  };
  static const std::vector<Row> table = {{"greedy_then_oldest", Policy::greedy_then_oldest},
                                         {"oldest_first", Policy::oldest_first},
                                         {"round_robin", Policy::round_robin},
                                         {"two_level", Policy::two_level}};
  const auto row = find_named(table, name, {"unknown scheduler", "--scheduler"});
  FOREWARP_TRY(row);
  return (*row)->policy;
}

Result<models::ModelPrediction> simulate_model(const std::string& name, const facts::ModelFacts& facts,
                                               const gpu::Machine& machine, double gamma,
                                               pipeline::SchedulerPolicy policy) {
  if (facts.graphs.empty() || facts.subsystems.empty())
    return fail(ErrorCode::bad_input, fmt::format("model '{}' needs the warps' dependence graphs", name),
                "facts: graphs",
                "give the key 'graphs' in the file of --facts, or predict from a source, which supplies it");
  const double groups = std::ceil(facts.groups / machine.sm_count);
  pipeline::GraphModelOptions options;
  options.policy = policy;
  options.concurrent_groups = std::min(gamma > 0 ? gamma : facts.concurrent_groups, groups);
  const double wave = mean_graph_length(facts) * facts.warps_per_group * options.concurrent_groups;
  options.simulated_waves =
      std::clamp(std::floor(budget_instructions / std::max(1.0, wave)), least_waves, most_waves);
  const auto run = pipeline::simulate_graphs(facts, groups, options);
  FOREWARP_TRY(run);
  const double scale = scale_of(facts);
  models::ModelPrediction prediction{.model = name};
  prediction.concurrent_warps = options.concurrent_groups * facts.warps_per_group;
  prediction.cycles = run->cycles * scale;
  prediction.warps_per_cycle = run->warps_per_cycle / scale;
  prediction.cycles_per_run = prediction.concurrent_warps / prediction.warps_per_cycle;
  prediction.time_ms = prediction.cycles / (machine.sm_clock_mhz * 1e3);
  prediction.limiter = limiter_of(facts, run->outcome);
  explain(facts, *run, groups, scale, prediction);
  return prediction;
}

} // namespace forewarp::predict
