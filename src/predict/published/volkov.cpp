// Volkov's model (2016) as P Eq. 2-3: the occupancy roofline of the whole kernel. Below the ridge the first
// warp's latency hides all others; above it the busiest subsystem or the issue limit bounds.
#include "predict/published/builtin.h"
#include "predict/published/terms.h"

#include <algorithm>

namespace forewarp::models {
namespace {

/// Eq. 3, warps per cycle.
double wpc_volkov(double wpc_roof, double omega, double app_latency) {
  return std::min(wpc_roof, omega / app_latency);
}

Result<ModelPrediction> predict_volkov(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                       const ModelOptions& options) {
  FOREWARP_TRY(check_basics("volkov", facts, false));
  Explanation explanation;
  aggregate(facts, explanation);
  const Bound bound = largest(throughput_bounds(facts, true));
  const double roof = explanation.add("P section 2.2", "WPC_roof", "warps/cycle", 1 / bound.cycles_per_warp,
                                      "1 / {:g} cycles per warp of '{}'", bound.cycles_per_warp, bound.name);
  const double app_latency = app_latency_cycles(facts, explanation);
  ModelPrediction prediction{.model = "volkov",
                             .concurrent_warps = concurrent_warps(facts, machine, options)};
  const double omega = prediction.concurrent_warps;
  const double wpc =
      explanation.add("P Eq. 3", "WPC_volkov", "warps/cycle", wpc_volkov(roof, omega, app_latency),
                      "min({:g}, {:g} / {:g})", roof, omega, app_latency);
  explanation.add("P section 2.2", "ridge omega", "warps", app_latency * roof, "{:g} * {:g}", app_latency,
                  roof);
  finish(prediction, facts, machine, omega / wpc, omega / app_latency < roof ? "latency" : bound.name,
         explanation);
  return prediction;
}

} // namespace

Model volkov() {
  return {.name = "volkov",
          .source = "Volkov 2016",
          .needs = "mix graphs",
          .aspects = {.ilp = true,
                      .compute_latency = true,
                      .memory_latency = true,
                      .more_than_two_subsystems = true,
                      .issue_limit = true},
          .predict = predict_volkov};
}

} // namespace forewarp::models
