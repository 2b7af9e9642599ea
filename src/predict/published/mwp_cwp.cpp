// MWP-CWP (Hong and Kim 2009) as P Eq. 15-28, and as P section 5.1 corrects it. The code is alpha_mem periods
// of CI computations and a memory request; one of three cases gives the time of a run of omega warps.
// Published: latencies of computations are ignored (Lambda*_app). Corrected: Lambda_app of Eq. 2, and the
// largest of the three cases, because the conditions no longer tell them apart. P prints no barrier term;
// this is Hong and Kim's: departure delay * (MWP - 1) * barriers * resident groups.
#include "predict/published/builtin.h"
#include "predict/published/terms.h"

#include <algorithm>
#include <array>

namespace forewarp::models {
namespace {

/// Eq. 15: warps that access memory at the same time.
double mwp(const Aggregates& a) {
  return a.Lambda_mem / a.lambda_mem;
}
/// Eq. 16: warps that compute during one warp's memory wait, plus the waiting one.
double cwp(const Aggregates& a) {
  return a.Lambda_mem / (a.CI() * a.lambda_comp) + 1;
}
/// Eq. 26.
double cpr_memory_bound(const Aggregates& a, double omega, double mwp_value) {
  return a.alpha_mem * omega * a.lambda_mem + a.CI() * a.lambda_comp * mwp_value;
}
/// Eq. 27.
double cpr_compute_bound(const Aggregates& a, double omega) {
  return a.alpha_comp * a.lambda_comp * omega + a.Lambda_mem;
}
/// Eq. 28 without the single warp's time.
double pipeline_fill(const Aggregates& a, double omega) {
  return a.CI() * a.lambda_comp * (omega - 1);
}
/// Hong and Kim's synchronisation cost for one run.
double sync_cost(const Aggregates& a, double mwp_value, double groups) {
  return a.lambda_mem * std::max(0.0, mwp_value - 1) * a.alpha_sync * groups;
}

struct Cases {
  double memory = 0, compute = 0, occupancy = 0;
};
constexpr const char* memory_bound = "memory";
constexpr const char* compute_bound = "compute";
constexpr const char* occupancy_bound = "occupancy";

struct Choice {
  double cycles = 0;
  const char* limiter = "";
};

/// MWP = CWP < omega is in none of the published cases: memory bound.
Choice published_case(const Cases& cases, double omega, double mwp_value, double cwp_value) {
  if (omega <= std::min(mwp_value, cwp_value))
    return {cases.occupancy, occupancy_bound};
  return mwp_value <= cwp_value ? Choice{cases.memory, memory_bound} : Choice{cases.compute, compute_bound};
}
Choice largest_case(const Cases& cases) {
  const std::array<Choice, 3> all = {
      {{cases.occupancy, occupancy_bound}, {cases.memory, memory_bound}, {cases.compute, compute_bound}}};
  return *std::max_element(all.begin(), all.end(),
                           [](const Choice& a, const Choice& b) { return a.cycles < b.cycles; });
}

Result<ModelPrediction> predict_mwp_cwp(const char* name, bool corrected, const facts::ModelFacts& facts,
                                        const gpu::Machine& machine, const ModelOptions& options) {
  FOREWARP_TRY(check_basics(name, facts, true));
  Explanation explanation;
  const Aggregates a = aggregate(facts, explanation);
  ModelPrediction prediction{.model = name, .concurrent_warps = concurrent_warps(facts, machine, options)};
  const double omega = prediction.concurrent_warps;
  const double mwp_value =
      explanation.add("P Eq. 15", "MWP", "warps", mwp(a), "{:g} / {:g}", a.Lambda_mem, a.lambda_mem);
  const double cwp_value = explanation.add("P Eq. 16", "CWP", "warps", cwp(a), "{:g} / ({:g} * {:g}) + 1",
                                           a.Lambda_mem, a.CI(), a.lambda_comp);
  const double alone = corrected ? app_latency_cycles(facts, explanation)
                                 : explanation.add("P Eq. 28", "Lambda*_app", "cycles",
                                                   a.alpha_mem * a.Lambda_mem + a.alpha_comp * a.lambda_comp,
                                                   "{:g} * {:g} + {:g} * {:g}", a.alpha_mem, a.Lambda_mem,
                                                   a.alpha_comp, a.lambda_comp);
  Cases cases;
  cases.memory =
      explanation.add("P Eq. 26", "CPR memory bound", "cycles", cpr_memory_bound(a, omega, mwp_value),
                      "{:g} * {:g} * {:g} + {:g} * {:g} * {:g}", a.alpha_mem, omega, a.lambda_mem, a.CI(),
                      a.lambda_comp, mwp_value);
  cases.compute =
      explanation.add("P Eq. 27", "CPR compute bound", "cycles", cpr_compute_bound(a, omega),
                      "{:g} * {:g} * {:g} + {:g}", a.alpha_comp, a.lambda_comp, omega, a.Lambda_mem);
  cases.occupancy =
      explanation.add("P Eq. 28", "CPR occupancy bound", "cycles", alone + pipeline_fill(a, omega),
                      "{:g} + {:g} * {:g} * ({:g} - 1)", alone, a.CI(), a.lambda_comp, omega);
  const Choice choice = corrected ? largest_case(cases) : published_case(cases, omega, mwp_value, cwp_value);
  double cycles = choice.cycles;
  if (a.alpha_sync > 0) {
    const double groups = omega / facts.warps_per_group;
    const double warps = std::min(mwp_value, omega);
    cycles += explanation.add("Hong and Kim 2009", "sync cost", "cycles", sync_cost(a, warps, groups),
                              "{:g} * ({:g} - 1) * {:g} * {:g}", a.lambda_mem, warps, a.alpha_sync, groups);
  }
  finish(prediction, facts, machine, cycles, choice.limiter, explanation);
  return prediction;
}

Result<ModelPrediction> published(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                  const ModelOptions& options) {
  return predict_mwp_cwp("mwp_cwp", false, facts, machine, options);
}
Result<ModelPrediction> corrected(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                  const ModelOptions& options) {
  return predict_mwp_cwp("mwp_cwp_corrected", true, facts, machine, options);
}
// P's Table 7 gives MWP-CWP an issue limit: the departure delay between memory requests (section 2.3.4).
constexpr Aspects published_aspects = {.memory_latency = true, .barriers = true, .issue_limit = true};

} // namespace

Model mwp_cwp() {
  return {.name = "mwp_cwp",
          .source = "Hong, Kim 2009",
          .needs = "mix",
          .aspects = published_aspects,
          .predict = published};
}
Model mwp_cwp_corrected() {
  Aspects aspects = published_aspects;
  aspects.ilp = aspects.compute_latency = true;
  return {.name = "mwp_cwp_corrected",
          .source = "Hong, Kim 2009; Lemeire et al., section 5.1",
          .needs = "mix graphs",
          .aspects = aspects,
          .predict = corrected};
}

} // namespace forewarp::models
