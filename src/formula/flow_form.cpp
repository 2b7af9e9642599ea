#include "formula/flow_form.h"

#include "predict/published/memory_mapper.h"

#include <algorithm>
#include <optional>
#include <set>

namespace forewarp::formula {
namespace {

using predict::model_facts::ControlFlow;
using predict::model_facts::no_block;
using predict::model_facts::no_loop;
using Kind = RealNode::Kind;
using Sequence = std::vector<RealNode>;

bool is_composite(const RealNode& node) {
  return node.kind == Kind::loop || node.kind == Kind::branch;
}

/// As predict/model_facts/flow_tree.cpp; what never runs stays in with weight zero.
class Tree {
public:
  Tree(const CostTable& table, const ControlFlow& flow, const RealRuns& runs,
       const std::function<Real(std::size_t)>& lambda_of)
      : table_(table), flow_(flow), runs_(runs), lambda_of_(lambda_of), one_(runs.blocks[0].number(1)),
        zero_(one_.number(0)), done_(runs.blocks.size(), false) {}

  Sequence build() {
    Sequence nodes = sequence(0, no_block, no_loop, one_);
    for (std::uint32_t block = 0; block < done_.size(); ++block)
      if (!done_[block])
        emit_block(block, one_, nodes);
    return nodes;
  }

private:
  Sequence sequence(std::uint32_t block, std::uint32_t stop, std::uint32_t loop, const Real& nominal) {
    Sequence nodes;
    while (block != no_block && block != stop && flow_.contains(loop, block) && !done_[block]) {
      const std::uint32_t child = child_of(flow_.loop[block], loop);
      if (flow_.loop[block] != loop && child != no_loop && flow_.loops[child].header == block) {
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
  std::uint32_t child_of(std::uint32_t inner, std::uint32_t outer) const {
    while (inner != no_loop && flow_.loops[inner].parent != outer)
      inner = flow_.loops[inner].parent;
    return inner;
  }
  std::uint32_t after_loop(std::uint32_t loop) const {
    std::uint32_t block = flow_.loops[loop].header;
    while (block != no_block && flow_.contains(loop, block))
      block = flow_.post_dominator[block];
    return block;
  }
  RealNode plain(Kind kind) const {
    return {.kind = kind, .count = one_, .lambda_cycles = one_, .trips = one_, .active = one_};
  }

  RealNode loop_node(std::uint32_t loop, const Real& nominal) {
    const std::uint32_t header = flow_.loops[loop].header;
    Real entries = zero_;
    for (const auto& [edge, runs] : runs_.edges)
      if (edge.second == header && (edge.first == no_block || !flow_.contains(loop, edge.first)))
        entries = entries + runs;
    RealNode node = plain(Kind::loop);
    node.trips = larger(one_, runs_.blocks[header] / entries);
    Sequence body;
    done_[header] = true;
    const Real inside = nominal * node.trips;
    emit_block(header, inside, body);
    const std::uint32_t second = next(header, loop, inside, body);
    append(body, sequence(second, no_block, loop, inside));
    node.paths.push_back({one_, std::move(body)});
    return node;
  }

  std::uint32_t next(std::uint32_t block, std::uint32_t loop, const Real& nominal, Sequence& nodes) {
    std::vector<std::uint32_t> ways;
    for (const std::uint32_t way : flow_.successors[block])
      if (flow_.contains(loop, way) && !done_[way])
        ways.push_back(way);
    if (ways.empty())
      return no_block;
    std::uint32_t merge = flow_.post_dominator[block];
    if (merge != no_block && !flow_.contains(loop, merge))
      merge = no_block;
    if (ways.size() == 1 && (ways[0] == merge || flow_.successors[block].size() == 1))
      return ways[0];
    RealNode node = plain(Kind::branch);
    Real taken = zero_;
    for (const std::uint32_t way : ways) {
      if (way == merge)
        continue;
      const Real weight = smaller(one_, edge(block, way) / runs_.blocks[block]);
      taken = taken + weight;
      node.paths.push_back({weight, sequence(way, merge, loop, nominal * weight)});
    }
    // 1 - taken where more than 1e-9 is left
    const Real left = one_ - taken;
    node.paths.push_back({left * is_less(one_.number(1e-9), left), {}});
    nodes.push_back(std::move(node));
    return merge;
  }
  Real edge(std::uint32_t from, std::uint32_t to) const {
    const auto found = runs_.edges.find({from, to});
    return found != runs_.edges.end() ? found->second : zero_;
  }

  void emit_block(std::uint32_t block, const Real& nominal, Sequence& nodes) {
    const Real factor = runs_.blocks[block] / nominal;
    const Real active = is_less(zero_, runs_.blocks[block]) * is_less(zero_, nominal);
    for (const facts::FlowNode& from : models::flow_from_range(
             table_.mix, table_.graph.graph, table_.graph.first[block], table_.graph.first[block + 1])) {
      RealNode node = plain(from.kind);
      node.id = from.id;
      node.count = factor * from.count;
      node.ilp = from.ilp;
      node.latency_cycles = from.latency_cycles;
      node.lambda_cycles =
          from.kind == Kind::memory ? lambda_of_(from.id - 1) : one_.number(from.lambda_cycles);
      node.waited = from.waited;
      node.uses = from.uses;
      node.active = active;
      nodes.push_back(std::move(node));
    }
  }
  static void append(Sequence& to, Sequence from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
  }

  const CostTable& table_;
  const ControlFlow& flow_;
  const RealRuns& runs_;
  const std::function<Real(std::size_t)>& lambda_of_;
  Real one_, zero_;
  std::vector<bool> done_;
};

/// As models/flow_reduction.cpp.
class Walk {
public:
  using Visit = std::function<void(const RealNode&, const RealPlace&, const Real& times)>;
  Walk(Real one, Visit visit, bool contained = false)
      : visit_(std::move(visit)), place_{one, one.number(0)}, contained_(contained) {}
  void sequence(const Sequence& nodes, const Real& times) {
    for (const RealNode& node : nodes)
      element(node, times);
  }

private:
  void element(const RealNode& node, const Real& times) {
    if (!is_composite(node)) {
      visit_(node, place_, times);
      if (node.kind == Kind::compute)
        place_.preceding_latency = node.active * (node.count * node.latency_cycles / node.ilp) +
                                   (times.number(1) - node.active) * place_.preceding_latency;
      return;
    }
    Real weights = times.number(0);
    for (const RealNode::Path& path : node.paths)
      weights = weights + path.weight;
    for (const RealNode::Path& path : node.paths) {
      const Real share = place_.warp_share;
      const bool loop = node.kind == Kind::loop;
      if (!loop)
        place_.warp_share = share * smaller(times.number(1), path.weight);
      sequence(path.nodes, times * (loop         ? node.trips
                                    : contained_ ? times.number(1)
                                                 : path.weight / weights));
      place_.warp_share = share;
    }
  }
  Visit visit_;
  RealPlace place_;
  bool contained_;
};

class Reducer {
public:
  Reducer(const Sequence& flow, const Real& one, const RealWeight& transition, const RealWeight& exposed)
      : zero_(one.number(0)) {
    Walk(one, [&](const RealNode& node, const RealPlace& place, const Real&) {
      transition_.emplace(&node, transition(node, place));
      if (node.kind == Kind::memory && node.waited)
        exposed_.emplace(&node, exposed(node, place) * node.active);
      for (const std::uint32_t id : node.uses)
        used_.insert(id);
    }).sequence(flow, one);
  }

  Real run(const Sequence& nodes, bool loop_body, bool top_level) {
    std::vector<Real> weights;
    for (const RealNode& node : nodes)
      weights.push_back(element(node));
    std::vector<std::vector<const RealNode*>> sources(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      collect_sources(nodes[i], sources[i]);
    for (std::size_t use = 0; use < nodes.size(); ++use)
      for (const std::uint32_t id : uses_of(nodes[use]))
        if (const auto source = find(sources, id, 0, use))
          add_arc(weights, nodes, *source, use);
    if (loop_body)
      for (std::size_t use = 0; use < nodes.size(); ++use)
        for (const std::uint32_t id : uses_of(nodes[use]))
          if (const auto source = find(sources, id, use, nodes.size());
              source && !find(sources, id, 0, use) && !(source->index == use && is_composite(nodes[use])))
            add_carried_arc(weights, nodes, *source, use);
    if (top_level)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const RealNode* source : sources[i])
          if (!used_.contains(source->id) || source->id == 0)
            add_arc(weights, nodes, {i, source}, nodes.size());
    Real sum = zero_;
    for (const Real& weight : weights)
      sum = sum + weight;
    return sum;
  }

private:
  struct Source {
    std::size_t index;
    const RealNode* node;
  };
  Real element(const RealNode& node) {
    if (!is_composite(node))
      return transition_.at(&node);
    if (node.kind == Kind::loop)
      return node.trips * run(node.paths.front().nodes, true, false);
    Real sum = zero_, weights = zero_;
    for (const RealNode::Path& path : node.paths) {
      sum = sum + path.weight * run(path.nodes, false, false);
      weights = weights + path.weight;
    }
    return sum / weights;
  }
  void collect_sources(const RealNode& node, std::vector<const RealNode*>& out) const {
    if (exposed_.contains(&node))
      out.push_back(&node);
    for (const RealNode::Path& path : node.paths)
      for (const RealNode& inner : path.nodes)
        collect_sources(inner, out);
  }
  static std::vector<std::uint32_t> uses_of(const RealNode& node) {
    std::vector<std::uint32_t> uses = node.uses;
    for (const RealNode::Path& path : node.paths)
      for (const RealNode& inner : path.nodes) {
        const auto more = uses_of(inner);
        uses.insert(uses.end(), more.begin(), more.end());
      }
    return uses;
  }
  static std::optional<Source> find(const std::vector<std::vector<const RealNode*>>& sources,
                                    std::uint32_t id, std::size_t from, std::size_t to) {
    for (std::size_t i = to; i-- > from;)
      for (const RealNode* source : sources[i])
        if (source->id == id && id != 0)
          return Source{i, source};
    return std::nullopt;
  }
  static std::size_t covered_from(const Sequence& nodes, const Source& source) {
    return is_composite(nodes[source.index]) ? source.index + 1 : source.index;
  }
  Real sum_of(const std::vector<Real>& weights, std::size_t from, std::size_t to) const {
    Real sum = zero_;
    for (std::size_t i = from; i < to; ++i)
      sum = sum + weights[i];
    return sum;
  }
  void add_arc(std::vector<Real>& weights, const Sequence& nodes, const Source& source, std::size_t use) {
    const Real covered = sum_of(weights, std::min(covered_from(nodes, source), use), use);
    weights[use - 1] = weights[use - 1] + larger(zero_, exposed_.at(source.node) - covered);
  }
  void add_carried_arc(std::vector<Real>& weights, const Sequence& nodes, const Source& source,
                       std::size_t use) {
    const Real covered =
        sum_of(weights, covered_from(nodes, source), weights.size()) + sum_of(weights, 0, use);
    weights.back() = weights.back() + larger(zero_, exposed_.at(source.node) - covered);
  }

  Real zero_;
  std::map<const RealNode*, Real> transition_, exposed_; ///< looked up only, never walked
  std::set<std::uint32_t> used_;
};

void collect_ids(const Sequence& nodes, std::set<std::uint32_t>& ids) {
  for (const RealNode& node : nodes) {
    if (node.kind == Kind::memory)
      ids.insert(node.id);
    for (const RealNode::Path& path : node.paths)
      collect_ids(path.nodes, ids);
  }
}
void drop_unknown_uses(Sequence& nodes, const std::set<std::uint32_t>& ids) {
  for (RealNode& node : nodes) {
    std::erase_if(node.uses, [&](std::uint32_t id) { return !ids.contains(id); });
    for (RealNode::Path& path : node.paths)
      drop_unknown_uses(path.nodes, ids);
  }
}

} // namespace

std::vector<RealNode> flow_form(const CostTable& table, const ControlFlow& flow, const RealRuns& runs,
                                const std::function<Real(std::size_t index)>& lambda_of) {
  Sequence nodes = Tree(table, flow, runs, lambda_of).build();
  std::set<std::uint32_t> ids;
  collect_ids(nodes, ids);
  drop_unknown_uses(nodes, ids);
  return nodes;
}

Real sum_over(const Sequence& flow, const Real& one, const RealWeight& weight) {
  Real sum = one.number(0);
  Walk(one, [&](const RealNode& node, const RealPlace& place, const Real& times) {
    sum = sum + times * weight(node, place);
  }).sequence(flow, one);
  return sum;
}

Real contained_in(const Sequence& flow, const Real& one, const RealWeight& weight) {
  Real sum = one.number(0);
  Walk(
      one,
      [&](const RealNode& node, const RealPlace& place, const Real& times) {
        sum = sum + times * weight(node, place) * node.active;
      },
      true)
      .sequence(flow, one);
  return sum;
}

Real reduce(const Sequence& flow, const Real& one, const RealWeight& transition, const RealWeight& exposed) {
  return Reducer(flow, one, transition, exposed).run(flow, false, true);
}

} // namespace forewarp::formula
