// The tree of a work flow graph's reductions from the kernel's blocks, for any kind of number
// (published/flow_of.h): how often blocks run is known, or a closed form.
#pragma once

#include "facts/machine_code/control_flow.h"
#include "predict/published/flow_of.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace forewarp::predict::model_facts {

using facts::ControlFlow;
using facts::no_block;
using facts::no_loop;

/// Mean runs per warp.
template <class Number> struct RunsOf {
  std::vector<Number> per_warp; ///< by block
  /// (previous block, block); UINT32_MAX before the entry
  std::map<std::pair<std::uint32_t, std::uint32_t>, Number> edges;
};

using models::constant_like;
using models::is_never;
using models::larger;
using models::quotient;
using models::rest_of;
using models::smaller;

/// `Blocks` makes the nodes:
///   Node composite(Kind kind, const Number& one)       a loop or branch without paths
///   void emit(std::uint32_t block, const Number& factor, const Number& nominal, std::vector<Node>& nodes)
/// the block's own, their counts multiplied by `factor`; `nominal` is how often the tree says that it runs.
template <class Node, class Blocks> class FlowTree {
public:
  using Number = models::NumberOf<Node>;
  using Sequence = std::vector<Node>;

  FlowTree(const ControlFlow& flow, const RunsOf<Number>& runs, const Number& one, Blocks blocks)
      : flow_(flow), runs_(runs), blocks_(std::move(blocks)), one_(one), zero_(constant_like(one, 0)),
        done_(runs.per_warp.size(), false) {}

  Sequence build() {
    Sequence nodes = sequence(0, no_block, no_loop, one_);
    // What no structured way reaches (exits from the middle of unrolled loops) counts at the end, as often as
    // it ran.
    for (std::uint32_t block = 0; block < done_.size(); ++block)
      if (!done_[block])
        emit(block, one_, nodes);
    std::set<std::uint32_t> ids;
    collect_ids(nodes, ids);
    drop_unknown_uses(nodes, ids);
    return nodes;
  }

private:
  /// Blocks from `block` to before `stop`, inside `loop`; `nominal` is how often the tree says they run.
  Sequence sequence(std::uint32_t block, std::uint32_t stop, std::uint32_t loop, const Number& nominal) {
    Sequence nodes;
    while (block != no_block && block != stop && flow_.contains(loop, block) && !done_[block]) {
      const std::uint32_t inner = flow_.loop[block];
      if (inner != loop && header_of_child(inner, loop) == block) {
        const std::uint32_t child = child_of(inner, loop);
        nodes.push_back(loop_node(child, nominal));
        block = after_loop(child);
        continue;
      }
      done_[block] = true;
      emit(block, nominal, nodes);
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
  Node loop_node(std::uint32_t loop, const Number& nominal) {
    const std::uint32_t header = flow_.loops[loop].header;
    Number entries = zero_;
    for (const auto& [edge, runs] : runs_.edges)
      if (edge.second == header && (edge.first == no_block || !flow_.contains(loop, edge.first)))
        entries = entries + runs;
    Node node = blocks_.composite(facts::FlowNode::Kind::loop, one_);
    node.trips = larger(one_, quotient(runs_.per_warp[header], entries));
    Sequence body;
    // The header begins the body; it is no header of a loop inside.
    done_[header] = true;
    const Number inside = nominal * node.trips;
    emit(header, inside, body);
    const std::uint32_t second = next(header, loop, inside, body);
    append(body, sequence(second, no_block, loop, inside));
    node.paths.push_back({one_, std::move(body)});
    return node;
  }

  /// Where `block` goes on inside `loop`; a branch node where it may go several ways.
  std::uint32_t next(std::uint32_t block, std::uint32_t loop, const Number& nominal, Sequence& nodes) {
    std::vector<std::uint32_t> ways;
    for (const std::uint32_t way : flow_.successors[block])
      if (flow_.contains(loop, way) && !done_[way] && !is_never(runs_.per_warp[way]))
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
  Node branch_node(std::uint32_t block, const std::vector<std::uint32_t>& ways, std::uint32_t merge,
                   std::uint32_t loop, const Number& nominal) {
    Node node = blocks_.composite(facts::FlowNode::Kind::branch, one_);
    Number taken = zero_;
    for (const std::uint32_t way : ways) {
      if (way == merge)
        continue;
      const Number weight = smaller(one_, quotient(edge(block, way), runs_.per_warp[block]));
      taken = taken + weight;
      if (!is_never(weight))
        node.paths.push_back({weight, sequence(way, merge, loop, nominal * weight)});
    }
    // Past it, out of the loop, or not traced.
    if (const Number left = rest_of(taken); !is_never(left))
      node.paths.push_back({left, {}});
    return node;
  }
  /// Runs of `to` that come from `from`; of diverged warps the trace may name another predecessor.
  Number edge(std::uint32_t from, std::uint32_t to) const {
    const auto found = runs_.edges.find({from, to});
    return found != runs_.edges.end() ? found->second : zero_;
  }

  void emit(std::uint32_t block, const Number& nominal, Sequence& nodes) {
    if (!is_never(nominal) && !is_never(runs_.per_warp[block]))
      blocks_.emit(block, quotient(runs_.per_warp[block], nominal), nominal, nodes);
  }
  static void append(Sequence& to, Sequence from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }
  static void collect_ids(const Sequence& nodes, std::set<std::uint32_t>& ids) {
    for (const Node& node : nodes) {
      if (node.kind == facts::FlowNode::Kind::memory)
        ids.insert(node.id);
      for (const auto& path : node.paths)
        collect_ids(path.nodes, ids);
    }
  }
  static void drop_unknown_uses(Sequence& nodes, const std::set<std::uint32_t>& ids) {
    for (Node& node : nodes) {
      std::erase_if(node.uses, [&](std::uint32_t id) { return !ids.contains(id); });
      for (auto& path : node.paths)
        drop_unknown_uses(path.nodes, ids);
    }
  }

  const ControlFlow& flow_;
  const RunsOf<Number>& runs_;
  Blocks blocks_;
  Number one_, zero_;
  std::vector<bool> done_;
};

} // namespace forewarp::predict::model_facts
