// GPUMech (Huang et al., MICRO 2014): interval analysis of the representative warp. An interval is a stretch
// of instructions that ends with a wait for memory; while it waits, other warps issue. Round robin and
// greedy-then-oldest differ in how many of the other warps' instructions do not fit into the waits. The
// original paper was not read for this file: the equations come from the notes' reading, which agrees with a
// public re-implementation and with P's worked numbers; the typing errors P lists (IPC for CPI, min and max
// exchanged) are mended.
//   issue probability  p = sum n_i / sum (n_i / rate + stall_i)
//   round robin        published: nonoverlapped_i = p (W - 1)(n_i - 1)
//                      corrected (P section 2.5.1): (W - 1) n_i - min(stall_i, W - 1)
//   greedy-then-oldest p_i = min(p stall_i, 1), issued_i = p_i mean(n) (W - 1), nonoverlapped_i =
//   max(issued_i - stall_i, 0)
//                      corrected: p_i = 1 (P section 2.5.2: then it is Volkov's model without compute
//                      latencies)
//   CPI = (sum (n_i / rate + stall_i) + sum nonoverlapped_i / rate) / (W sum n_i)
// Latencies of computations are ignored. By default memory instructions take no issue slot, which is what
// gives P's curves; ModelOptions::gpumech_counts_memory_instructions counts them.
#include "predict/published/builtin.h"
#include "predict/published/gpumech_intervals.h"
#include "predict/published/terms.h"

#include <algorithm>

namespace forewarp::models {
namespace {

enum class Policy { round_robin, greedy_then_oldest };

struct Variant {
  const char* name;
  Policy policy;
  bool corrected;
};

/// M/D/1: mean wait of a request at utilisation rho; saturated: half of the burst's service.
double dram_queue_delay(double service, double rate, double requests) {
  const double rho = rate * service;
  return rho < 1 ? rate * service * service / (2 * (1 - rho)) : service * requests / 2;
}

double nonoverlapped(const Variant& variant, const Interval& interval, double warps, double probability,
                     double mean) {
  if (variant.policy == Policy::round_robin)
    return variant.corrected ? nonoverlapped_rr_corrected(interval, warps)
                             : nonoverlapped_rr(interval, warps, probability);
  return nonoverlapped_gto(interval, warps, variant.corrected ? 1 : probability, mean, variant.corrected);
}

Result<ModelPrediction> predict_intervals(const Variant& variant, const facts::ModelFacts& facts,
                                          const gpu::Machine& machine, const ModelOptions& options) {
  FOREWARP_TRY(check_basics(variant.name, facts, false));
  if (facts.graphs.empty() || facts.graphs.front().instructions.empty())
    return lacks(variant.name, "graphs", "the representative warp's dependence graph");
  Explanation explanation;
  const Aggregates sums = aggregate(facts, explanation);
  ModelPrediction prediction{.model = variant.name,
                             .concurrent_warps = concurrent_warps(facts, machine, options)};
  const double warps = prediction.concurrent_warps;
  const double rate = sums.lambda_comp > 0 ? 1 / sums.lambda_comp : 1;
  explanation.add("GPUMech", "issue rate", "instructions/cycle", rate, "1 / lambda_comp");
  const std::vector<Interval> intervals =
      find_intervals(facts, rate, options.gpumech_counts_memory_instructions);
  const IntervalSums total = sum(intervals, rate);
  explanation.add("GPUMech", "intervals", "1", static_cast<double>(intervals.size()), "waits for memory");
  explanation.add("GPUMech", "sum n", "instructions", total.instructions, "all intervals");
  explanation.add("GPUMech", "sum stall", "cycles", total.stall_cycles, "all intervals");
  const double probability =
      explanation.add("GPUMech Eq. 9", "p", "1", total.issue_probability, "{:g} / ({:g} + {:g})",
                      total.instructions, total.instructions / rate, total.stall_cycles);
  double extra = 0;
  for (const Interval& interval : intervals)
    extra += nonoverlapped(variant, interval, warps, probability, total.mean_instructions);
  explanation.add(variant.policy == Policy::round_robin ? "GPUMech Eq. 11" : "GPUMech Eq. 14-16",
                  "nonoverlapped", "instructions", extra, "{:g} warps", warps);
  const double scale = graph_scale(facts);
  if (scale != 1)
    explanation.add("facts", "graph scale", "1", scale, "instructions of the mix / of the graph");
  double cycles = explanation.add("GPUMech Eq. 7", "CPR", "cycles",
                                  scale * (total.instructions / rate + total.stall_cycles + extra / rate),
                                  "{:g} * ({:g} + {:g} + {:g})", scale, total.instructions / rate,
                                  total.stall_cycles, extra / rate);
  if (options.gpumech_queueing && sums.alpha_mem > 0) {
    const double requests = warps * sums.alpha_mem;
    cycles += explanation.add("GPUMech, DRAM queue", "queueing", "cycles",
                              sums.alpha_mem * dram_queue_delay(sums.lambda_mem, requests / cycles, warps),
                              "M/D/1, service {:g}, rate {:g}", sums.lambda_mem, requests / cycles);
  }
  finish(prediction, facts, machine, cycles, extra > total.stall_cycles ? "issue" : "latency", explanation);
  return prediction;
}

template <Policy policy, bool corrected>
Result<ModelPrediction> predict_as(const facts::ModelFacts& facts, const gpu::Machine& machine,
                                   const ModelOptions& options) {
  constexpr bool rr = policy == Policy::round_robin;
  constexpr const char* name = rr ? (corrected ? "gpumech_rr_corrected" : "gpumech_rr")
                                  : (corrected ? "gpumech_gto_corrected" : "gpumech_gto");
  return predict_intervals({name, policy, corrected}, facts, machine, options);
}

template <Policy policy, bool corrected> Model make(std::string_view name) {
  return {.name = name,
          .source = corrected ? "Huang et al. 2014; Lemeire et al., section 2.5" : "Huang et al. 2014",
          .needs = "mix graphs",
          .aspects = {.memory_latency = true, .divergent_warps = true, .scheduler = true},
          .predict = predict_as<policy, corrected>};
}

} // namespace

Model gpumech_rr() {
  return make<Policy::round_robin, false>("gpumech_rr");
}
Model gpumech_rr_corrected() {
  return make<Policy::round_robin, true>("gpumech_rr_corrected");
}
Model gpumech_gto() {
  return make<Policy::greedy_then_oldest, false>("gpumech_gto");
}
Model gpumech_gto_corrected() {
  return make<Policy::greedy_then_oldest, true>("gpumech_gto_corrected");
}

} // namespace forewarp::models
