#include "formula/flow_form.h"

#include "predict/published/memory_mapper.h"

namespace forewarp::formula {
namespace {

using facts::ControlFlow;
using predict::model_facts::FlowTree;

class Blocks {
public:
  Blocks(const CostTable& table, const RealRuns& runs, const std::function<Real(std::size_t)>& lambda_of)
      : table_(table), runs_(runs), lambda_of_(lambda_of) {}

  static RealNode composite(RealNode::Kind kind, const Real& one) {
    return {.kind = kind, .count = one, .lambda_cycles = one, .trips = one, .active = one};
  }
  void emit(std::uint32_t block, const Real& factor, const Real& nominal,
            std::vector<RealNode>& nodes) const {
    const Real none = factor.number(0);
    const Real active = is_less(none, runs_.per_warp[block]) * is_less(none, nominal);
    for (const facts::FlowNode& from : models::flow_from_range(
             table_.mix, table_.graph.graph, table_.graph.first[block], table_.graph.first[block + 1])) {
      RealNode node = composite(from.kind, factor.number(1));
      node.id = from.id;
      node.count = factor * from.count;
      node.ilp = from.ilp;
      node.latency_cycles = from.latency_cycles;
      node.lambda_cycles =
          from.kind == RealNode::Kind::memory ? lambda_of_(from.id - 1) : factor.number(from.lambda_cycles);
      node.waited = from.waited;
      node.uses = from.uses;
      node.active = active;
      nodes.push_back(std::move(node));
    }
  }

private:
  const CostTable& table_;
  const RealRuns& runs_;
  const std::function<Real(std::size_t)>& lambda_of_;
};

} // namespace

std::vector<RealNode> flow_form(const CostTable& table, const ControlFlow& flow, const RealRuns& runs,
                                const std::function<Real(std::size_t index)>& lambda_of) {
  const Real one = runs.per_warp[0].number(1);
  return FlowTree<RealNode, Blocks>(flow, runs, one, Blocks(table, runs, lambda_of)).build();
}

} // namespace forewarp::formula
