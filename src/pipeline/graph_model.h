// The Pipeline model of Lemeire et al. (section 3) on the simulator: instruction dependence graphs of a facts
// file, one instance of each subsystem per SM with lambda at the level of the SM, an overall issue limit, one
// scheduler.
#pragma once

#include "facts/model_facts.h"
#include "pipeline/program_source.h"

namespace forewarp::pipeline {

struct GraphModelOptions {
  SchedulerPolicy policy = SchedulerPolicy::round_robin;
  double concurrent_groups = 0;      ///< gamma; 0: the facts'
  double barrier_latency_cycles = 0; ///< beyond the barrier instruction's own latency
  /// Groups beyond this many times gamma are not simulated: the rate at which groups ended goes on. 0:
  /// simulate all.
  double simulated_waves = 6;
  Listener* listener = nullptr;
};

struct GraphModelResult {
  double cycles = 0; ///< of all groups asked for, on one SM
  double warps_per_cycle = 0;
  double simulated_groups = 0; ///< fewer than asked for: the rest was extrapolated
  Outcome outcome;             ///< of the simulated groups
};

/// Straight-line program of a graph. Registers are reused after a value's last use. More than six
/// predecessors are joined by an instruction that takes no time but, where there is an issue limit, a slot.
Program program_from_graph(const facts::ModelFacts& facts, const facts::WarpGraph& graph);

/// Subsystems, issue limit and resident groups of the facts.
Configuration configuration_from_facts(const facts::ModelFacts& facts, const GraphModelOptions& options);

/// Runs `groups` groups on one SM. Errors: bad_input when the facts hold no graph, the simulator's.
Result<GraphModelResult> simulate_graphs(const facts::ModelFacts& facts, double groups,
                                         const GraphModelOptions& options);

} // namespace forewarp::pipeline
