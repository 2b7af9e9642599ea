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

class Tree {
public:
  Tree(const TracedFacts& facts, const ControlFlow& flow, const OpTable& table, const BlockRuns& runs)
      : flow_(flow), runs_(runs), static_(static_graph(facts.program, table)),
        done_(facts.program.blocks.size(), false) {
    mix_.mix = table.mix;
  }

  std::vector<FlowNode> build() {
    std::vector<FlowNode> nodes = sequence(0, no_block, no_loop, 1);
    // What no structured way reaches (exits from the middle of unrolled loops) counts at the end, as often as
    // it ran.
    for (std::uint32_t block = 0; block < done_.size(); ++block)
      if (!done_[block])
        emit_block(block, 1, nodes);
    std::set<std::uint32_t> ids;
    collect_ids(nodes, ids);
    drop_unknown_uses(nodes, ids);
    return nodes;
  }

private:
  /// Blocks from `block` to before `stop`, inside `loop`; `nominal` is how often the tree says they run.
  std::vector<FlowNode> sequence(std::uint32_t block, std::uint32_t stop, std::uint32_t loop,
                                 double nominal) {
    std::vector<FlowNode> nodes;
    while (block != no_block && block != stop && flow_.contains(loop, block) && !done_[block]) {
      const std::uint32_t inner = flow_.loop[block];
      if (inner != loop && header_of_child(inner, loop) == block) {
        const std::uint32_t child = child_of(inner, loop);
        nodes.push_back(loop_node(child, nominal));
        block = after_loop(child);
        continue;
      }
      done_[block] = true;
      emit_block(block, nominal, nodes);
      block = next(block, loop, nominal, nodes);
    }
    return nodes;
  }
  /// The loop just inside `outer` that holds `inner`.
  std::uint32_t child_of(std::uint32_t inner, std::uint32_t outer) const {
    while (inner != no_loop && flow_.loops[inner].parent != outer)
      inner = flow_.loops[inner].parent;
    return inner;
  }
  std::uint32_t header_of_child(std::uint32_t inner, std::uint32_t outer) const {
    const std::uint32_t child = child_of(inner, outer);
    return child == no_loop ? no_block : flow_.loops[child].header;
  }
  std::uint32_t after_loop(std::uint32_t loop) const {
    std::uint32_t block = flow_.loops[loop].header;
    while (block != no_block && flow_.contains(loop, block))
      block = flow_.post_dominator[block];
    return block;
  }

  FlowNode loop_node(std::uint32_t loop, double nominal) {
    const std::uint32_t header = flow_.loops[loop].header;
    double entries = 0;
    for (const auto& [edge, runs] : runs_.edges)
      if (edge.second == header && (edge.first == no_block || !flow_.contains(loop, edge.first)))
        entries += runs;
    FlowNode node{.kind = FlowNode::Kind::loop};
    node.trips = entries > 0 ? std::max(1.0, runs_.per_warp[header] / entries) : 1;
    std::vector<FlowNode> body;
    // The header begins the body; it is no header of a loop inside.
    done_[header] = true;
    emit_block(header, nominal * node.trips, body);
    const std::uint32_t second = next(header, loop, nominal * node.trips, body);
    append(body, sequence(second, no_block, loop, nominal * node.trips));
    node.paths.push_back({1, std::move(body)});
    return node;
  }

  /// Where `block` goes on inside `loop`; a branch node where it may go several ways.
  std::uint32_t next(std::uint32_t block, std::uint32_t loop, double nominal, std::vector<FlowNode>& nodes) {
    std::vector<std::uint32_t> ways;
    for (const std::uint32_t way : flow_.successors[block])
      if (flow_.contains(loop, way) && !done_[way] && runs_.per_warp[way] > 0)
        ways.push_back(way);
    if (ways.empty())
      return no_block;
    std::uint32_t merge = flow_.post_dominator[block];
    if (merge != no_block && !flow_.contains(loop, merge))
      merge = no_block;
    if (ways.size() == 1 && (ways[0] == merge || flow_.successors[block].size() == 1))
      return ways[0];
    nodes.push_back(branch_node(block, ways, merge, loop, nominal));
    return merge;
  }
  FlowNode branch_node(std::uint32_t block, const std::vector<std::uint32_t>& ways, std::uint32_t merge,
                       std::uint32_t loop, double nominal) {
    FlowNode node{.kind = FlowNode::Kind::branch};
    double taken = 0;
    for (const std::uint32_t way : ways) {
      if (way == merge)
        continue;
      const double weight = std::clamp(edge(block, way) / std::max(runs_.per_warp[block], 1e-300), 0.0, 1.0);
      taken += weight;
      if (weight > 0)
        node.paths.push_back({weight, sequence(way, merge, loop, nominal * weight)});
    }
    if (taken < 1 - 1e-9) // past it, out of the loop, or not traced
      node.paths.push_back({1 - taken, {}});
    return node;
  }
  /// Runs of `to` that come from `from`; of diverged warps the trace may name another predecessor.
  double edge(std::uint32_t from, std::uint32_t to) const {
    const auto found = runs_.edges.find({from, to});
    return found != runs_.edges.end() ? found->second : 0;
  }

  void emit_block(std::uint32_t block, double nominal, std::vector<FlowNode>& nodes) {
    if (!(nominal > 0) || !(runs_.per_warp[block] > 0))
      return;
    const double factor = runs_.per_warp[block] / nominal;
    std::vector<FlowNode> fresh =
        models::flow_from_range(mix_, static_.graph, static_.first[block], static_.first[block + 1]);
    for (FlowNode& node : fresh)
      node.count *= factor;
    append(nodes, std::move(fresh));
  }
  static void append(std::vector<FlowNode>& to, std::vector<FlowNode> from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }
  static void collect_ids(const std::vector<FlowNode>& nodes, std::set<std::uint32_t>& ids) {
    for (const FlowNode& node : nodes) {
      if (node.kind == FlowNode::Kind::memory)
        ids.insert(node.id);
      for (const FlowNode::Path& path : node.paths)
        collect_ids(path.nodes, ids);
    }
  }
  static void drop_unknown_uses(std::vector<FlowNode>& nodes, const std::set<std::uint32_t>& ids) {
    for (FlowNode& node : nodes) {
      std::erase_if(node.uses, [&](std::uint32_t id) { return !ids.contains(id); });
      for (FlowNode::Path& path : node.paths)
        drop_unknown_uses(path.nodes, ids);
    }
  }

  const ControlFlow& flow_;
  const BlockRuns& runs_;
  StaticGraph static_;
  facts::ModelFacts mix_; ///< only the mix: what the classes are
  std::vector<bool> done_;
};

} // namespace

std::vector<FlowNode> flow_tree(const TracedFacts& facts, const ControlFlow& flow, const OpTable& table,
                                const BlockRuns& runs) {
  return Tree(facts, flow, table, runs).build();
}

} // namespace forewarp::predict::model_facts
