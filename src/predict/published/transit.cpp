// Transit (Li et al. 2015) as P Eq. 4-14: of omega warps, k wait for memory and omega - k compute; supply and
// demand meet where the two occupancy rooflines cross. Solved on the curves themselves, so that P's Theorem 1
// (equal to Volkov without instruction-level parallelism) is a test and not the definition.
#include "predict/published/builtin.h"
#include "predict/published/terms.h"

#include <algorithm>

namespace forewarp::models {
namespace {

/// Eq. 4 and 5: an occupancy roofline, instructions per cycle with x warps.
double ipc(double x, double lambda, double latency) {
  if (x <= 0)
    return 0;
  return latency > 0 ? std::min(1 / lambda, x / latency) : 1 / lambda;
}
/// Eq. 6 and 7 with their roofs, warps per cycle. A subsystem without work supplies any rate.
double wpc(double x, double alpha, double lambda, double latency) {
  return alpha > 0 ? ipc(x, lambda, latency) / alpha : 1e300;
}

/// Eq. 8: the k at which memory supply (rising in k) and compute demand (falling) meet, by bisection.
double crossing(const Aggregates& sums, double omega) {
  double low = 0, high = omega;
  for (int i = 0; i < 200; ++i) {
    const double k = (low + high) / 2;
    const bool supply_short = wpc(k, sums.alpha_mem, sums.lambda_mem, sums.Lambda_mem) <
                              wpc(omega - k, sums.alpha_comp, sums.lambda_comp, sums.Lambda_comp);
    (supply_short ? low : high) = k;
  }
  return high;
}

Result<ModelPrediction> predict_transit(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                        const ModelOptions& options) {
  FOREWARP_TRY(check_basics("transit", facts, false));
  Explanation explanation;
  const Aggregates sums = aggregate(facts, explanation);
  ModelPrediction prediction{.model = "transit",
                             .concurrent_warps = concurrent_warps(facts, machine, options)};
  const double omega = prediction.concurrent_warps;
  const double k = sums.alpha_mem > 0 ? crossing(sums, omega) : 0;
  const double x = sums.alpha_comp > 0 ? omega - k : 0;
  explanation.add("P Eq. 8", "k", "warps", k, "supply = demand, omega = {:g}", omega);
  const double supply = wpc(k, sums.alpha_mem, sums.lambda_mem, sums.Lambda_mem);
  const double demand = wpc(x, sums.alpha_comp, sums.lambda_comp, sums.Lambda_comp);
  explanation.add("P Eq. 7", "WPC_mem(k)", "warps/cycle", supply, "min(1 / {:g}, {:g} / {:g}) / {:g}",
                  sums.lambda_mem, k, sums.Lambda_mem, sums.alpha_mem);
  explanation.add("P Eq. 6", "WPC_comp(omega - k)", "warps/cycle", demand,
                  "min(1 / {:g}, {:g} / {:g}) / {:g}", sums.lambda_comp, x, sums.Lambda_comp,
                  sums.alpha_comp);
  const double rate = std::min(supply, demand);
  const double memory_roof = sums.alpha_mem > 0 ? 1 / (sums.lambda_mem * sums.alpha_mem) : 1e300;
  const double compute_roof = sums.alpha_comp > 0 ? 1 / (sums.lambda_comp * sums.alpha_comp) : 1e300;
  const double roof = std::min(memory_roof, compute_roof);
  const bool latency_bound = rate < roof * (1 - 1e-9);
  finish(prediction, facts, machine, omega / rate,
         latency_bound ? "latency" : (memory_roof <= compute_roof ? "memory" : "compute"), explanation);
  return prediction;
}

} // namespace

Model transit() {
  return {.name = "transit",
          .source = "Li, Tay, Kumar, Corporaal 2015",
          .needs = "mix",
          .aspects = {.compute_latency = true, .memory_latency = true},
          .predict = predict_transit};
}

} // namespace forewarp::models
