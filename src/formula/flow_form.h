// The work flow graph of W with closed forms in the place of numbers: what predict/model_facts/flow_tree_of.h
// and published/flow_of.h need of them.
#pragma once

#include "formula/cost_table.h"
#include "predict/model_facts/flow_tree_of.h"
#include "symbolic/program/program.h"

#include <functional>
#include <vector>

namespace forewarp::formula {

using symbolic::Real;

using RealRuns = predict::model_facts::RunsOf<Real>;

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
std::vector<RealNode> flow_form(const CostTable& table, const facts::ControlFlow& flow, const RealRuns& runs,
                                const std::function<Real(std::size_t index)>& lambda_of);

using RealPlace = models::PlaceOf<Real>;
using RealWeight = models::WeightOf<RealNode>;

inline const Real& activity(const RealNode& node) {
  return node.active;
}

} // namespace forewarp::formula
