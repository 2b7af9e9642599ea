// Work flow graph model (W: Baghsorkhi et al. 2010) in P's symbols, Eq. 30-36, and as P corrects it (Eq. 42
// with lambda_mem_instr = 0; Eq. 41 alone still falls below one warp's time and is no model). W's names:
// Latency_pipeline = Lambda_comp, SIMD_work / SIMD_engine = lambda_comp = lambda_mem_instr, CYC_mem / NUM_mem
// = lambda_mem, WLP = omega. Eq. 30 already holds alpha_i, and Eq. 31 multiplies again: counted once (as in
// Eq. 38).
#include "predict/published/builtin.h"
#include "predict/published/flow_reduction.h"
#include "predict/published/terms.h"

#include <algorithm>
#include <utility>

namespace forewarp::models {
namespace {

using facts::FlowNode;
using Kind = FlowNode::Kind;

struct Setting {
  bool corrected = false;
  double omega = 1;
  double blocks = 1;      ///< W's NUM_blocks: concurrent groups
  double ilp_average = 1; ///< W Eq. 8
  double wlp_average = 1; ///< warps at an average point of the kernel
  double lambda_mem_instr = 0;
};

/// W Eq. 1 and 2: parallelism seen at a point: own group's local value, other groups' average.
double effective(double local, double average, double blocks) {
  return (local + (blocks - 1) * average) / blocks;
}

/// Eq. 30 for one node; W Eq. 3.
double compute_transition(const FlowNode& node, const Setting& s, double warp_share) {
  const double wlp = effective(s.omega * warp_share, s.wlp_average, s.blocks);
  const double ilp = effective(node.ilp, s.ilp_average, s.blocks);
  return node.count * std::max(node.lambda_cycles, node.latency_cycles / (ilp * wlp));
}

double plain_transition(const FlowNode& node, const FlowPlace& place, const Setting& s) {
  switch (node.kind) {
  case Kind::compute:
    return compute_transition(node, s, place.warp_share);
  case Kind::memory:
    return node.count * s.lambda_mem_instr;
  default: // shared memory and barriers: issue only (W section 2.1.1)
    return node.count * node.lambda_cycles;
  }
}

/// Eq. 33, W Eq. 4.
double memory_transition(double cyc_mem, double cyc_comp, double alpha_mem, double lambda_mem_instr) {
  return lambda_mem_instr + std::max(0.0, (cyc_mem - cyc_comp) / alpha_mem);
}
/// Eq. 35, W Eq. 5.
double nbc_average(double cyc_comp, double alpha_mem, double alpha_sync) {
  return cyc_comp / (alpha_mem + alpha_sync + 1);
}
/// Eq. 36, W Eq. 6. May be negative: the larger of the two arcs counts.
double exposed_published(double latency, double omega, double nbc) {
  return latency - (omega - 1) * nbc;
}
/// Eq. 42; `hides_own` is the preceding computations' latency per warp, which they hide first.
double exposed_corrected(double latency, double omega, double nbc, double hides_own) {
  return latency / omega - std::max(0.0, (omega - 1) / omega * nbc - hides_own);
}
double own_latency(const FlowPlace& place, const Setting& s) {
  return place.preceding_latency / s.omega;
}

Setting make_setting(bool corrected, const facts::ModelFacts& facts, double omega, const Aggregates& sums) {
  Setting s{.corrected = corrected, .omega = omega, .ilp_average = facts.ilp, .wlp_average = omega};
  s.blocks = std::max(1.0, omega / facts.warps_per_group);
  s.lambda_mem_instr = corrected ? 0 : sums.lambda_comp;
  // Eq. 7: regions weigh by what they contain; Eq. 8: by what is executed of it.
  const auto count = [](const FlowNode& node, const FlowPlace&) { return node.count; };
  const auto shared = [](const FlowNode& node, const FlowPlace& place) {
    return node.count * place.warp_share;
  };
  const double instructions = contained_in_flow(facts.flow, count);
  if (instructions > 0)
    s.wlp_average = omega * contained_in_flow(facts.flow, shared) / instructions;
  const auto computations = [](const FlowNode& node, const FlowPlace&) {
    return node.kind == Kind::compute ? node.count : 0;
  };
  const auto parallel = [](const FlowNode& node, const FlowPlace&) {
    return node.kind == Kind::compute ? node.count * node.ilp : 0;
  };
  if (const double executed = sum_over_flow(facts.flow, computations); executed > 0)
    s.ilp_average = sum_over_flow(facts.flow, parallel) / executed;
  return s;
}

double count_kind(const facts::ModelFacts& facts, Kind kind) {
  return sum_over_flow(
      facts.flow, [=](const FlowNode& node, const FlowPlace&) { return node.kind == kind ? node.count : 0; });
}

Result<ModelPrediction> predict(const char* name, bool corrected, const facts::ModelFacts& facts,
                                const gpu::Machine& machine, const ModelOptions& options) {
  FOREWARP_TRY(check_basics(name, facts, false));
  if (facts.flow.empty())
    return lacks(name, "flow", "the kernel's work flow graph");
  Explanation explanation;
  const Aggregates sums = aggregate(facts, explanation);
  ModelPrediction prediction{.model = name, .concurrent_warps = concurrent_warps(facts, machine, options)};
  const double omega = prediction.concurrent_warps;
  const Setting s = make_setting(corrected, facts, omega, sums);
  explanation.add("W Eq. 7", "WLP_avg", "warps", s.wlp_average, "omega = {:g}, {:g} groups", omega, s.blocks);
  explanation.add("W Eq. 8", "ILP_avg", "1", s.ilp_average, "mean of the computations' local ILP");
  explanation.add(corrected ? "P section 5.1" : "P section 2.4.1", "lambda_mem_instr", "cycles",
                  s.lambda_mem_instr, "{}", corrected ? "0" : "lambda_comp");

  const FlowWeight plain = [&](const FlowNode& node, const FlowPlace& place) {
    return plain_transition(node, place, s);
  };
  const double cyc_comp = explanation.add("P Eq. 31", "CYC_comp", "cycles", sum_over_flow(facts.flow, plain),
                                          "reduction without dependence arcs");
  const double alpha_mem = count_kind(facts, Kind::memory);
  const double alpha_sync = count_kind(facts, Kind::barrier);
  const double cyc_mem = sum_over_flow(facts.flow, [](const FlowNode& node, const FlowPlace&) {
    return node.kind == Kind::memory ? node.count * node.lambda_cycles : 0;
  });
  explanation.add("P Eq. 33", "CYC_mem", "cycles", cyc_mem, "alpha_mem / BW, alpha_mem = {:g}", alpha_mem);
  double trans = 0;
  if (alpha_mem > 0)
    trans = explanation.add("P Eq. 33", "lambda_mem_trans", "cycles",
                            memory_transition(cyc_mem, cyc_comp, alpha_mem, s.lambda_mem_instr),
                            "{:g} + max(0, ({:g} - {:g}) / {:g})", s.lambda_mem_instr, cyc_mem, cyc_comp,
                            alpha_mem);
  const double nbc =
      explanation.add("P Eq. 35", "NBC_avg", "cycles", nbc_average(cyc_comp, alpha_mem, alpha_sync),
                      "{:g} / ({:g} + {:g} + 1)", cyc_comp, alpha_mem, alpha_sync);

  const FlowWeight transition = [&](const FlowNode& node, const FlowPlace& place) {
    return node.kind == Kind::memory ? node.count * trans : plain_transition(node, place, s);
  };
  const FlowWeight exposed = [&](const FlowNode& node, const FlowPlace& place) {
    const double wlp = effective(s.omega * place.warp_share, s.wlp_average, s.blocks);
    return corrected ? exposed_corrected(node.latency_cycles, wlp, nbc, own_latency(place, s))
                     : exposed_published(node.latency_cycles, wlp, nbc);
  };
  double first_exposed = 0; // of the first load: printed, the reduction uses each load's own
  bool seen = false;
  sum_over_flow(facts.flow, [&](const FlowNode& node, const FlowPlace& place) {
    if (node.kind == Kind::memory && node.waited && !std::exchange(seen, true))
      first_exposed = exposed(node, place);
    return 0.0;
  });
  if (seen)
    explanation.add(corrected ? "P Eq. 42" : "P Eq. 36", "Lambda_exposed", "cycles", first_exposed,
                    "first load");
  const double cpw =
      explanation.add("W Fig. 4", "CPW", "cycles", reduce_flow(facts.flow, transition, exposed),
                      "reduction with dependence arcs");
  const double transitions = sum_over_flow(facts.flow, transition);
  const char* limiter = cpw > transitions * (1 + 1e-12) ? "latency"
                        : cyc_mem > cyc_comp            ? "memory"
                                                        : "compute";
  finish(prediction, facts, machine, cpw * omega, limiter, explanation);
  return prediction;
}

Result<ModelPrediction> published(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                  const ModelOptions& options) {
  return predict("wfg", false, facts, machine, options);
}
Result<ModelPrediction> corrected(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                  const ModelOptions& options) {
  return predict("wfg_corrected", true, facts, machine, options);
}
constexpr Aspects aspects = {.ilp = true,
                             .compute_latency = true,
                             .memory_latency = true,
                             .barriers = true,
                             .groups = true,
                             .divergent_warps = true};

} // namespace

Model wfg() {
  return {.name = "wfg",
          .source = "Baghsorkhi et al. 2010",
          .needs = "mix flow",
          .aspects = aspects,
          .predict = published};
}
Model wfg_corrected() {
  return {.name = "wfg_corrected",
          .source = "Baghsorkhi et al. 2010; Lemeire et al., Eq. 42",
          .needs = "mix flow",
          .aspects = aspects,
          .predict = corrected};
}

} // namespace forewarp::models
