#include "predict/model_facts/flow_tree.h"

#include "predict/published/memory_mapper.h"

#include <algorithm>
#include <set>

namespace forewarp::predict::model_facts {
namespace {

using facts::FlowNode;

class DefUse {
public:
  explicit DefUse(const facts::MachineProgram& program)
      : definition_(program.value_count, facts::no_value), aliases_(program.value_count) {
    std::uint32_t index = 0;
    for (const facts::MachineBlock& block : program.blocks) {
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.source != facts::no_value)
          aliases_[phi.destination].push_back(phi.source);
      for (const facts::MachineOp& op : block.ops) {
        if (op.destination != facts::no_value)
          definition_[op.destination] = index;
        ++index;
      }
    }
  }
  /// Operations that may have made `value`.
  void collect(std::uint32_t value, std::vector<std::uint32_t>& out) {
    seen_.clear();
    follow(value, out);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

private:
  void follow(std::uint32_t value, std::vector<std::uint32_t>& out) {
    if (value >= definition_.size() || !seen_.insert(value).second)
      return;
    if (definition_[value] != facts::no_value)
      out.push_back(definition_[value]);
    for (const std::uint32_t source : aliases_[value])
      follow(source, out);
  }
  std::vector<std::uint32_t> definition_;
  std::vector<std::vector<std::uint32_t>> aliases_;
  std::set<std::uint32_t> seen_;
};

} // namespace

StaticGraph static_graph(const facts::MachineProgram& program, const OpTable& table) {
  StaticGraph result;
  DefUse uses(program);
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    result.first.push_back(result.graph.instructions.size());
    for (std::size_t i = 0; i < program.blocks[b].ops.size(); ++i) {
      const facts::MachineOp& op = program.blocks[b].ops[i];
      const OpRow& row = table.blocks[b][i];
      facts::ModelInstruction node{row.mix_class, row.lambda_cycles, row.latency_cycles, {}};
      for (unsigned s = 0; s < op.source_count; ++s)
        uses.collect(op.sources[s], node.predecessors);
      result.graph.instructions.push_back(std::move(node));
    }
  }
  result.first.push_back(result.graph.instructions.size());
  return result;
}

namespace {

class Blocks {
public:
  Blocks(const facts::MachineProgram& program, const OpTable& table) : static_(static_graph(program, table)) {
    mix_.mix = table.mix;
  }
  static FlowNode composite(FlowNode::Kind kind, double /*one*/) { return {.kind = kind}; }
  void emit(std::uint32_t block, double factor, double /*nominal*/, std::vector<FlowNode>& nodes) const {
    std::vector<FlowNode> fresh =
        models::flow_from_range(mix_, static_.graph, static_.first[block], static_.first[block + 1]);
    for (FlowNode& node : fresh) {
      node.count *= factor;
      nodes.push_back(std::move(node));
    }
  }

private:
  StaticGraph static_;
  facts::ModelFacts mix_; ///< only the mix: what the classes are
};

} // namespace

std::vector<FlowNode> flow_tree(const TracedFacts& facts, const ControlFlow& flow, const OpTable& table,
                                const BlockRuns& runs) {
  return FlowTree<FlowNode, Blocks>(flow, runs, 1.0, Blocks(facts.program, table)).build();
}

} // namespace forewarp::predict::model_facts
