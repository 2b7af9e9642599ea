#include "predict/published/terms.h"

#include <algorithm>
#include <cmath>

namespace forewarp::models {
namespace {

using facts::ModelClassKind;

void weigh(double count, double lambda, double latency, double& alpha, double& lambda_sum,
           double& latency_sum) {
  alpha += count;
  lambda_sum += count * lambda;
  latency_sum += count * latency;
}

bool is_load(const facts::ModelFacts& facts, const facts::ModelInstruction& instruction) {
  return facts.mix[instruction.mix_class].waited;
}

} // namespace

Aggregates aggregate(const facts::ModelFacts& facts) {
  Aggregates sums;
  for (const facts::ModelClass& row : facts.mix) {
    if (row.kind == ModelClassKind::memory)
      weigh(row.count_per_warp, row.lambda_cycles, row.latency_cycles, sums.alpha_mem, sums.lambda_mem,
            sums.Lambda_mem);
    else if (row.kind != ModelClassKind::barrier)
      weigh(row.count_per_warp, row.lambda_cycles, row.latency_cycles, sums.alpha_comp, sums.lambda_comp,
            sums.Lambda_comp);
  }
  if (sums.alpha_comp > 0)
    sums.lambda_comp /= sums.alpha_comp, sums.Lambda_comp /= sums.alpha_comp;
  if (sums.alpha_mem > 0)
    sums.lambda_mem /= sums.alpha_mem, sums.Lambda_mem /= sums.alpha_mem;
  sums.alpha_sync = facts.barriers_per_warp;
  return sums;
}

Aggregates aggregate(const facts::ModelFacts& facts, Explanation& explanation) {
  const Aggregates sums = aggregate(facts);
  const auto row = [&](const char* symbol, const char* unit, double value) {
    explanation.add("P Table 2", symbol, unit, value, "instruction mix");
  };
  row("alpha_comp", "instructions", sums.alpha_comp);
  row("lambda_comp", "cycles", sums.lambda_comp);
  row("Lambda_comp", "cycles", sums.Lambda_comp);
  row("alpha_mem", "instructions", sums.alpha_mem);
  row("lambda_mem", "cycles", sums.lambda_mem);
  row("Lambda_mem", "cycles", sums.Lambda_mem);
  if (sums.alpha_mem > 0)
    explanation.add("P Table 2", "CI", "1", sums.CI(), "{:g} / {:g}", sums.alpha_comp, sums.alpha_mem);
  return sums;
}

std::vector<Bound> throughput_bounds(const facts::ModelFacts& facts, bool with_issue_limit) {
  std::vector<Bound> bounds;
  for (const std::string& name : facts.subsystems)
    bounds.push_back({name, 0});
  double instructions = 0;
  for (const facts::ModelClass& row : facts.mix) {
    bounds[row.subsystem].cycles_per_warp += row.count_per_warp * row.lambda_cycles;
    instructions += row.count_per_warp;
  }
  if (with_issue_limit && facts.issue_limit > 0)
    bounds.push_back({"issue", instructions / facts.issue_limit});
  return bounds;
}

Bound largest(const std::vector<Bound>& bounds) {
  const auto found = std::max_element(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) {
    return a.cycles_per_warp < b.cycles_per_warp;
  });
  return found == bounds.end() ? Bound{} : *found;
}

std::vector<bool> dependent_instructions(const facts::ModelFacts& facts, const facts::WarpGraph& graph) {
  const auto& instructions = graph.instructions;
  std::vector<bool> dependent(instructions.size(), false);
  std::vector<double> ready(instructions.size(), 0);
  std::vector<double> unit_free(facts.subsystems.size(), 0);
  double issue = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const facts::ModelInstruction& instruction = instructions[i];
    double& unit = unit_free[facts.mix[instruction.mix_class].subsystem];
    issue = std::max(issue, unit);
    std::size_t waits_for = i;
    for (const std::uint32_t predecessor : instruction.predecessors)
      if (ready[predecessor] > issue) {
        issue = ready[predecessor];
        waits_for = predecessor;
      }
    if (waits_for != i)
      dependent[waits_for] = true;
    unit = issue + instruction.lambda_cycles;
    ready[i] = issue + (is_load(facts, instruction) ? instruction.latency_cycles : instruction.lambda_cycles);
    if (ready[i] >= ready[last])
      last = i;
  }
  if (!instructions.empty())
    dependent[last] = true; // the end of the warp waits for it
  return dependent;
}

double graph_scale(const facts::ModelFacts& facts) {
  if (facts.graphs.empty() || facts.graphs.front().instructions.empty())
    return 1;
  double count = 0;
  for (const facts::ModelClass& row : facts.mix)
    count += row.count_per_warp;
  const double scale = count / static_cast<double>(facts.graphs.front().instructions.size());
  return std::abs(scale - 1) < 1e-9 || !(scale > 0) ? 1 : scale;
}

double app_latency_cycles(const facts::ModelFacts& facts, Explanation& explanation) {
  if (facts.graphs.empty() || facts.graphs.front().instructions.empty()) {
    const Aggregates sums = aggregate(facts);
    const double value = sums.alpha_comp * sums.Lambda_comp / facts.ilp + sums.alpha_mem * sums.Lambda_mem;
    return explanation.add("P Eq. 2", "Lambda_app", "cycles", value, "{:g} * {:g} / {:g} + {:g} * {:g}",
                           sums.alpha_comp, sums.Lambda_comp, facts.ilp, sums.alpha_mem, sums.Lambda_mem);
  }
  const facts::WarpGraph& graph = facts.graphs.front();
  const std::vector<bool> dependent = dependent_instructions(facts, graph);
  double latencies = 0, throughputs = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < dependent.size(); ++i) {
    const facts::ModelInstruction& instruction = graph.instructions[i];
    (dependent[i] ? latencies : throughputs) +=
        dependent[i] && is_load(facts, instruction) ? instruction.latency_cycles : instruction.lambda_cycles;
    count += dependent[i];
  }
  explanation.add("P Eq. 2", "|I|", "instructions", static_cast<double>(count), "later ones wait for them");
  explanation.add("P Eq. 2", "|J|", "instructions", static_cast<double>(dependent.size() - count),
                  "the others");
  const double scale = graph_scale(facts);
  if (scale != 1)
    explanation.add("facts", "graph scale", "1", scale, "instructions of the mix / of the graph");
  return explanation.add("P Eq. 2", "Lambda_app", "cycles", scale * (latencies + throughputs),
                         "{:g} * ({:g} + {:g})", scale, latencies, throughputs);
}

double concurrent_warps(const facts::ModelFacts& facts, const gpu::Machine& machine,
                        const ModelOptions& options) {
  const double wanted = options.concurrent_warps > 0 ? options.concurrent_warps : facts.concurrent_warps();
  const double groups = std::ceil(facts.groups / machine.sm_count);
  return std::min(wanted, groups * facts.warps_per_group);
}

void finish(ModelPrediction& prediction, const facts::ModelFacts& facts, const gpu::Machine& machine,
            double cycles_per_run, std::string limiter, Explanation& explanation) {
  const double omega = prediction.concurrent_warps;
  prediction.limiter = std::move(limiter);
  prediction.cycles_per_run =
      explanation.add("P Table 2", "CPR", "cycles", cycles_per_run, "omega = {:g} warps", omega);
  prediction.warps_per_cycle = explanation.add("P Table 2", "WPC", "warps/cycle", omega / cycles_per_run,
                                               "{:g} / {:g}", omega, cycles_per_run);
  const double warps_per_sm = facts.groups * facts.warps_per_group / machine.sm_count;
  explanation.add("P Table 3", "Omega", "warps", warps_per_sm, "{:g} * {:g} / {} SMs", facts.groups,
                  facts.warps_per_group, machine.sm_count);
  const double runs = std::max(1.0, warps_per_sm / omega);
  prediction.cycles = explanation.add("P section 2", "cycles", "cycles", runs * cycles_per_run,
                                      "{:g} runs * {:g}", runs, cycles_per_run);
  prediction.time_ms =
      explanation.add("P section 2", "time", "ms", prediction.cycles / (machine.sm_clock_mhz * 1e3),
                      "{:g} / {:g} MHz", prediction.cycles, machine.sm_clock_mhz);
  prediction.steps = explanation.take();
}

tl::unexpected<Error> lacks(std::string_view model, std::string_view key, std::string_view what) {
  return fail(
      ErrorCode::bad_input, fmt::format("model '{}' needs {}", model, what), fmt::format("facts: {}", key),
      fmt::format("give the key '{}' in the file of --facts, or predict from a source, which supplies it",
                  key));
}

Result<void> check_basics(std::string_view model, const facts::ModelFacts& facts, bool needs_memory) {
  if (facts.mix.empty() || facts.subsystems.empty())
    return lacks(model, "mix", "an instruction mix");
  const Aggregates sums = aggregate(facts);
  if (needs_memory && !(sums.alpha_mem > 0 && sums.lambda_mem > 0))
    return lacks(model, "mix", "at least one memory instruction with a positive lambda");
  if (!(sums.alpha_comp + sums.alpha_mem > 0))
    return lacks(model, "mix", "at least one instruction");
  if (!(facts.groups > 0 && facts.concurrent_groups > 0 && facts.warps_per_group > 0))
    return lacks(model, "groups", "positive numbers of groups, concurrent groups and warps");
  return {};
}

} // namespace forewarp::models
