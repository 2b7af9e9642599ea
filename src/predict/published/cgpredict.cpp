// CGPredict (Wang, Zhong, Mitra, TECS 2017; C) Eq. 12-23 on the MWP and CWP of Hong and Kim 2009. Departure
// delays and latencies of the memory classes are the facts' lambda and Lambda; how they come from access
// patterns and cache misses (Eq. 1-8) is the maker's of the facts. With shared memory C's tiled estimates
// follow (memory + computation) as a whole and not Eq. 17, which would be fifty times as much.
#include "predict/published/builtin.h"
#include "predict/published/terms.h"

#include <algorithm>

namespace forewarp::models {
namespace {

using facts::ModelClassKind;

constexpr const char* name = "cgpredict";

struct Sums {
  double memory_instructions = 0, mem_cycles = 0, departure_cycles = 0;
  double compute_instructions = 0, compute_lambda_cycles = 0;
  double shared_instructions = 0, shared_cycles = 0;
};

Sums sum_mix(const facts::ModelFacts& facts) {
  Sums sums;
  for (const facts::ModelClass& row : facts.mix) {
    if (row.kind == ModelClassKind::memory) {
      sums.memory_instructions += row.count_per_warp;
      sums.mem_cycles += row.count_per_warp * row.latency_cycles;
      sums.departure_cycles += row.count_per_warp * row.lambda_cycles;
    } else if (row.kind == ModelClassKind::shared_memory) {
      sums.shared_instructions += row.count_per_warp;
      sums.shared_cycles += row.count_per_warp * row.latency_cycles;
    } else if (row.kind == ModelClassKind::compute) {
      sums.compute_instructions += row.count_per_warp;
      sums.compute_lambda_cycles += row.count_per_warp * row.lambda_cycles;
    }
  }
  return sums;
}

/// Eq. 12. Computations at their own lambda; memory instructions take an issue slot each.
double issue_cycles(const Sums& sums, double issue_limit) {
  const double slot = issue_limit > 0 ? 1 / issue_limit : 0;
  return sums.compute_lambda_cycles + slot * (sums.memory_instructions + sums.shared_instructions);
}

/// Eq. 13: warps that access memory at the same time. Never more than there are.
double mwp(double mem_l, double departure_delay, double omega) {
  return departure_delay > 0 ? std::min(omega, mem_l / departure_delay) : omega;
}
/// Eq. 14.
double cwp(double mem_cycles, double comp_cycles, double omega) {
  return comp_cycles > 0 ? std::min(omega, (mem_cycles + comp_cycles) / comp_cycles) : omega;
}

struct Batch {
  double cycles = 0;
  const char* limiter = "memory";
};

/// Cycles of one batch of omega warps.
Batch batch_cycles(const Sums& sums, double comp_cycles, double mwp_value, double cwp_value, double omega,
                   Explanation& explanation) {
  const double mem_l = sums.mem_cycles / sums.memory_instructions;
  if (sums.shared_instructions > 0)
    return {explanation.add("C Eq. 16, 21, 22", "exec_cycles, shared memory", "cycles",
                            sums.mem_cycles * omega / mwp_value + comp_cycles, "{:g} * {:g} / {:g} + {:g}",
                            sums.mem_cycles, omega, mwp_value, comp_cycles),
            sums.mem_cycles * omega / mwp_value > comp_cycles ? "memory" : "compute"};
  if (cwp_value >= mwp_value)
    return {explanation.add("C Eq. 16", "exec_cycles", "cycles",
                            sums.mem_cycles * omega / mwp_value +
                                comp_cycles / sums.memory_instructions * mwp_value,
                            "{:g} * {:g} / {:g} + {:g} / {:g} * {:g}", sums.mem_cycles, omega, mwp_value,
                            comp_cycles, sums.memory_instructions, mwp_value),
            "memory"};
  return {explanation.add("C Eq. 17", "exec_cycles", "cycles", mem_l + comp_cycles * omega,
                          "{:g} + {:g} * {:g}", mem_l, comp_cycles, omega),
          "compute"};
}

Result<ModelPrediction> predict_cgpredict(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                          const ModelOptions& options) {
  FOREWARP_TRY(check_basics(name, facts, false));
  Explanation explanation;
  const Sums sums = sum_mix(facts);
  if (!(sums.mem_cycles > 0)) // tile loads have a latency and no departure delay
    return lacks(name, "mix", "at least one memory instruction with a positive Lambda");
  ModelPrediction prediction{.model = name, .concurrent_warps = concurrent_warps(facts, machine, options)};
  const double omega = prediction.concurrent_warps;
  const double mem_l =
      explanation.add("C Eq. 7", "mem_l", "cycles", sums.mem_cycles / sums.memory_instructions, "{:g} / {:g}",
                      sums.mem_cycles, sums.memory_instructions);
  const double departure = explanation.add("C Eq. 8", "departure_delay", "cycles",
                                           sums.departure_cycles / sums.memory_instructions, "{:g} / {:g}",
                                           sums.departure_cycles, sums.memory_instructions);
  double comp_cycles =
      explanation.add("C Eq. 12", "comp_cycles", "cycles", issue_cycles(sums, facts.issue_limit),
                      "{:g} computations, {:g} memory instructions", sums.compute_instructions,
                      sums.memory_instructions + sums.shared_instructions);
  if (sums.shared_instructions > 0)
    comp_cycles =
        explanation.add("C Eq. 20, 22", "comp_cycles, shared memory", "cycles",
                        comp_cycles + sums.shared_cycles, "{:g} + {:g}", comp_cycles, sums.shared_cycles);
  const double mwp_value = explanation.add("C Eq. 13", "MWP", "warps", mwp(mem_l, departure, omega),
                                           "{:g} / {:g}, at most {:g}", mem_l, departure, omega);
  const double cwp_value =
      explanation.add("C Eq. 14", "CWP", "warps", cwp(sums.mem_cycles, comp_cycles, omega),
                      "({:g} + {:g}) / {:g}, at most {:g}", sums.mem_cycles, comp_cycles, comp_cycles, omega);
  Batch batch = batch_cycles(sums, comp_cycles, mwp_value, cwp_value, omega, explanation);
  if (facts.barriers_per_warp > 0) {
    const double blocks = omega / facts.warps_per_group;
    batch.cycles += explanation.add(
        "C Eq. 23", "sync_cost", "cycles",
        departure * std::max(0.0, mwp_value - 1) * facts.barriers_per_warp * blocks,
        "{:g} * ({:g} - 1) * {:g} * {:g}", departure, mwp_value, facts.barriers_per_warp, blocks);
  }
  finish(prediction, facts, machine, batch.cycles, batch.limiter, explanation);
  return prediction;
}

} // namespace

Model cgpredict() {
  return {.name = name,
          .source = "Wang, Zhong, Mitra 2017",
          .needs = "mix",
          .aspects = {.memory_latency = true, .barriers = true, .issue_limit = true},
          .predict = predict_cgpredict};
}

} // namespace forewarp::models
