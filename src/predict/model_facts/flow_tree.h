// The work flow graph of the kernel's real control flow: loops with the trip counts and branches with the
// weights that the trace shows, computations of a block cut at memory accesses, barriers and uses of loads.
#pragma once

#include "facts/machine_code/control_flow.h"
#include "predict/model_facts/timing.h"

namespace forewarp::predict::model_facts {

using facts::ControlFlow;

/// All operations of the program in layout order with their def-use edges through phis: a value of an earlier
/// iteration has a higher index than its use.
struct StaticGraph {
  facts::WarpGraph graph;
  std::vector<std::size_t> first; ///< by block, and the end
};
StaticGraph static_graph(const facts::MachineProgram& program, const OpTable& table);

/// Nodes' counts are scaled so that the sum over the tree is the number that the grid's mean warp executed.
std::vector<facts::FlowNode> flow_tree(const TracedFacts& facts, const ControlFlow& flow,
                                       const OpTable& table, const BlockRuns& runs);

} // namespace forewarp::predict::model_facts
