// Roofline (Williams et al. 2009) as P Eq. 1 words it: every subsystem works on its own, everything overlaps,
// latencies are hidden. Extended per operation type (a roof for each subsystem, Konstantinidis and Cotronis
// 2017) and per memory level where the facts know the bytes and the GPU the bandwidth. Symbols: IPC_comp = 1
// / lambda_comp, BW = 1 / lambda_mem (warp instructions per cycle), CI = alpha_comp / alpha_mem.
#include "gpu/dram_rates.h"
#include "predict/published/builtin.h"
#include "predict/published/terms.h"

#include <algorithm>

namespace forewarp::models {
namespace {

/// Eq. 1: attainable rate of computations, instructions per cycle.
double ipc_roof(double ipc_comp, double bw, double ci) {
  return std::min(ipc_comp, bw * ci);
}

/// Cycles of a memory level per warp: its share of the whole grid's bytes over the SM's share of the
/// bandwidth.
void add_level(std::vector<Bound>& bounds, const char* name, double bytes, double bytes_per_cycle,
               const facts::ModelFacts& facts, const gpu::Machine& machine, Explanation& explanation) {
  if (!(bytes > 0) || !(bytes_per_cycle > 0))
    return;
  const double warps = facts.groups * facts.warps_per_group;
  const double cycles = bytes / warps * machine.sm_count / bytes_per_cycle;
  explanation.add("Roofline, " + std::string(name), "cycles/warp", "cycles", cycles,
                  "{:g} B / {:g} warps / ({:g} B/cycle / {} SMs)", bytes, warps, bytes_per_cycle,
                  machine.sm_count);
  bounds.push_back({name, cycles});
}

Result<ModelPrediction> predict_roofline(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                         const ModelOptions& options) {
  FOREWARP_TRY(check_basics("roofline", facts, false));
  Explanation explanation;
  const Aggregates sums = aggregate(facts, explanation);
  if (sums.alpha_comp > 0 && sums.lambda_comp > 0 && sums.lambda_mem > 0) {
    const double roof = ipc_roof(1 / sums.lambda_comp, 1 / sums.lambda_mem, sums.CI());
    explanation.add("P Eq. 1", "IPC_roof", "instructions/cycle", roof, "min(1 / {:g}, {:g} / {:g})",
                    sums.lambda_comp, sums.CI(), sums.lambda_mem);
    explanation.add("P section 2.1", "ridge CI", "1", sums.lambda_mem / sums.lambda_comp, "{:g} / {:g}",
                    sums.lambda_mem, sums.lambda_comp);
  }
  std::vector<Bound> bounds = throughput_bounds(facts, false);
  for (const Bound& bound : bounds)
    explanation.add("Roofline, " + bound.name, "cycles/warp", "cycles", bound.cycles_per_warp,
                    "sum of alpha * lambda");
  add_level(bounds, "l2_bandwidth", facts.traffic.bytes_l2, machine.memory.l2_bytes_per_cycle, facts, machine,
            explanation);
  add_level(bounds, "dram_bandwidth", facts.traffic.bytes_dram,
            gpu::bytes_per_cycle(machine, machine.memory.dram_copy_gbps), facts, machine, explanation);
  const Bound bound = largest(bounds);
  ModelPrediction prediction{.model = "roofline",
                             .concurrent_warps = concurrent_warps(facts, machine, options)};
  explanation.add("P section 2.2", "WPC_roof", "warps/cycle", 1 / bound.cycles_per_warp, "1 / {:g}",
                  bound.cycles_per_warp);
  finish(prediction, facts, machine, prediction.concurrent_warps * bound.cycles_per_warp, bound.name,
         explanation);
  return prediction;
}

} // namespace

Model roofline() {
  return {.name = "roofline",
          .source = "Williams, Waterman, Patterson 2009",
          .needs = "mix",
          .aspects = {.ilp = true, .more_than_two_subsystems = true},
          .predict = predict_roofline};
}

} // namespace forewarp::models
