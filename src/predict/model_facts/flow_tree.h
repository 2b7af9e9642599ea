// The work flow graph of the kernel's real control flow: loops with the trip counts and branches with the
// weights that the trace shows, computations of a block cut at memory accesses, barriers and uses of loads.
#pragma once

#include "predict/model_facts/control_flow.h"
#include "predict/model_facts/timing.h"

namespace forewarp::predict::model_facts {

/// Nodes' counts are scaled so that the sum over the tree is the number that the grid's mean warp executed.
std::vector<facts::FlowNode> flow_tree(const TracedFacts& facts, const ControlFlow& flow,
                                       const OpTable& table, const BlockRuns& runs);

} // namespace forewarp::predict::model_facts
