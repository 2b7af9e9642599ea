// Quantities that two or more models share. Nothing else passes between models.
#pragma once

#include "predict/published/model.h"

#include <fmt/format.h>

namespace forewarp::models {

/// Collects the equations of a prediction.
class Explanation {
public:
  template <class... Args>
  double add(std::string equation, std::string symbol, std::string unit, double value,
             fmt::format_string<Args...> formula, Args&&... args) {
    steps_.push_back({std::move(equation), std::move(symbol), value, std::move(unit),
                      fmt::format(formula, std::forward<Args>(args)...)});
    return value;
  }
  std::vector<Step> take() { return std::move(steps_); }

private:
  std::vector<Step> steps_;
};

/// The mix in P's two subsystems: means weighted by count. Shared memory counts as computation.
struct Aggregates {
  double alpha_comp = 0, lambda_comp = 0, Lambda_comp = 0; ///< counts per warp, cycles
  double alpha_mem = 0, lambda_mem = 0, Lambda_mem = 0;
  double alpha_sync = 0;
  double CI() const { return alpha_mem > 0 ? alpha_comp / alpha_mem : 0; } ///< compute intensity
};
Aggregates aggregate(const facts::ModelFacts& facts);
/// The same, each value a step of the explanation.
Aggregates aggregate(const facts::ModelFacts& facts, Explanation& explanation);

/// Subsystem that needs the most cycles per warp.
struct Bound {
  std::string name;
  double cycles_per_warp = 0; ///< 0: nothing bounds
};
/// Sum of lambda per subsystem, and the issue limit where there is one (P section 4.2).
std::vector<Bound> throughput_bounds(const facts::ModelFacts& facts, bool with_issue_limit);
Bound largest(const std::vector<Bound>& bounds);

/// Eq. 2: Lambda_app = sum of Lambda over I + sum of lambda over J. J: an instruction whose latency no later
/// one waits for when the warp runs alone and in order. Needs the graph; without one the overall ILP divides
/// the computations.
double app_latency_cycles(const facts::ModelFacts& facts, Explanation& explanation);
/// What one warp's graph is multiplied by: instructions of the mix / instructions of graph 0. 1 where the
/// graph is the whole warp; a graph may be cut short, and the mix is the grid's mean warp.
double graph_scale(const facts::ModelFacts& facts);
/// I of Eq. 2, one flag an instruction.
std::vector<bool> dependent_instructions(const facts::ModelFacts& facts, const facts::WarpGraph& graph);

/// omega: the options', else the facts', never more than the grid gives an SM.
double concurrent_warps(const facts::ModelFacts& facts, const gpu::Machine& machine,
                        const ModelOptions& options);

/// Fills cycles and time from the cycles of one run of `omega` warps: the warps are spread evenly over the
/// SMs, and runs follow each other without a gap (P section 2).
void finish(ModelPrediction& prediction, const facts::ModelFacts& facts, const gpu::Machine& machine,
            double cycles_per_run, std::string limiter, Explanation& explanation);

/// Error of a model that lacks a fact.
tl::unexpected<Error> lacks(std::string_view model, std::string_view key, std::string_view what);
/// Every model needs a mix with positive counts and warps.
Result<void> check_basics(std::string_view model, const facts::ModelFacts& facts, bool needs_memory);

} // namespace forewarp::models
