// Reduction of a work flow graph to one number (Baghsorkhi et al. 2010, Fig. 2-4): loops multiply, branches
// average, data-dependence arcs add what the transitions between a load and its use do not cover.
#pragma once

#include "predict/published/flow_of.h"

#include <vector>

namespace forewarp::models {

using FlowPlace = PlaceOf<double>;
using FlowWeight = WeightOf<facts::FlowNode>;

/// Sum over the executed nodes of one warp (average): loops multiply, branches average.
double sum_over_flow(const std::vector<facts::FlowNode>& flow, const FlowWeight& weight);

/// The same with all paths of a branch counted whole, whatever share of the warps runs them: what a region
/// contains (W Eq. 7's p, q and n), not what is executed.
double contained_in_flow(const std::vector<facts::FlowNode>& flow, const FlowWeight& weight);

/// Latency of an average warp: transitions weigh `transition`, a data-dependence arc leaving a waited memory
/// node weighs `exposed`. An arc goes to the first node that uses the memory node, across iterations where
/// the use comes first, and to the end of the kernel where nobody uses it. An arc that leaves a loop or
/// branch is covered only by what follows it.
double reduce_flow(const std::vector<facts::FlowNode>& flow, const FlowWeight& transition,
                   const FlowWeight& exposed);

} // namespace forewarp::models
