// The work flow graph of W with closed forms in the place of numbers, and its reductions (W Fig. 2 to 4): the
// tree that predict/model_facts/flow_tree.h makes and what models/flow_reduction.h does with it, as
// arithmetic on a program's values.
#pragma once

#include "formula/cost_table.h"
#include "predict/model_facts/control_flow.h"
#include "symbolic/program/program.h"

#include <functional>

namespace forewarp::formula {

using symbolic::Real;

/// Of blocks and edges: mean runs per warp.
struct RealRuns {
  std::vector<Real> blocks;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Real> edges;
};

struct RealNode {
  using Kind = facts::FlowNode::Kind;
  Kind kind = Kind::compute;
  std::uint32_t id = 0;
  Real count, lambda_cycles;
  double ilp = 1, latency_cycles = 1;
  bool waited = true;
  std::vector<std::uint32_t> uses;
  Real trips, active; ///< active: 1 where the node's block runs at all
  struct Path {
    Real weight;
    std::vector<RealNode> nodes;
  };
  std::vector<Path> paths;
};

/// `lambda_of`: of operation `index` of the static graph.
std::vector<RealNode> flow_form(const CostTable& table, const predict::model_facts::ControlFlow& flow,
                                const RealRuns& runs,
                                const std::function<Real(std::size_t index)>& lambda_of);

struct RealPlace {
  Real warp_share;
  Real preceding_latency; ///< count * latency / ILP of the last computations that ran before
};
using RealWeight = std::function<Real(const RealNode&, const RealPlace&)>;

/// models::sum_over_flow and models::reduce_flow.
Real sum_over(const std::vector<RealNode>& flow, const Real& one, const RealWeight& weight);
/// models::contained_in_flow.
Real contained_in(const std::vector<RealNode>& flow, const Real& one, const RealWeight& weight);
Real reduce(const std::vector<RealNode>& flow, const Real& one, const RealWeight& transition,
            const RealWeight& exposed);

} // namespace forewarp::formula
