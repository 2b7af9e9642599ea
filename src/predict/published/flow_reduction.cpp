#include "predict/published/flow_reduction.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace forewarp::models {
namespace {

using facts::FlowNode;
using Kind = FlowNode::Kind;
using Sequence = std::vector<FlowNode>;

bool is_composite(const FlowNode& node) {
  return node.kind == Kind::loop || node.kind == Kind::branch;
}

/// Calls `visit(node, place, times)` for the plain nodes in program order; `times` is the average number of
/// runs.
class Walk {
public:
  using Visit = std::function<void(const FlowNode&, const FlowPlace&, double times)>;
  /// `contained`: every path of a branch counts as run once.
  explicit Walk(Visit visit, bool contained = false) : visit_(std::move(visit)), contained_(contained) {}

  void sequence(const Sequence& nodes, double times) {
    for (const FlowNode& node : nodes)
      element(node, times);
  }

private:
  void element(const FlowNode& node, double times) {
    if (!is_composite(node)) {
      visit_(node, place_, times);
      if (node.kind == Kind::compute)
        place_.preceding_compute = &node;
      return;
    }
    double weights = 0;
    for (const FlowNode::Path& path : node.paths)
      weights += path.weight;
    for (const FlowNode::Path& path : node.paths) {
      const double share = place_.warp_share;
      const bool loop = node.kind == Kind::loop;
      if (!loop)
        place_.warp_share = share * std::min(1.0, path.weight);
      const double part = contained_ ? 1 : weights > 0 ? path.weight / weights : 0;
      sequence(path.nodes, times * (loop ? node.trips : part));
      place_.warp_share = share;
    }
  }

  Visit visit_;
  bool contained_;
  FlowPlace place_;
};

class Reducer {
public:
  Reducer(const Sequence& flow, const FlowWeight& transition, const FlowWeight& exposed) {
    Walk([&](const FlowNode& node, const FlowPlace& place, double) {
      transition_cycles_[&node] = transition(node, place);
      if (node.kind == Kind::memory && node.waited)
        exposed_cycles_[&node] = exposed(node, place);
      for (const std::uint32_t id : node.uses)
        used_.insert(id);
    }).sequence(flow, 1);
  }

  double reduce(const Sequence& nodes, bool loop_body, bool top_level) {
    std::vector<double> weights;
    for (const FlowNode& node : nodes)
      weights.push_back(element_cycles(node));
    std::vector<std::vector<const FlowNode*>> sources(nodes.size());
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
        for (const FlowNode* source : sources[i])
          if (!used_.contains(source->id) || source->id == 0)
            add_arc(weights, nodes, {i, source}, nodes.size());
    return std::accumulate(weights.begin(), weights.end(), 0.0);
  }

private:
  struct Source {
    std::size_t index;
    const FlowNode* node;
  };

  double element_cycles(const FlowNode& node) {
    if (!is_composite(node))
      return transition_cycles_.at(&node);
    if (node.kind == Kind::loop)
      return node.paths.empty() ? 0 : node.trips * reduce(node.paths.front().nodes, true, false);
    double sum = 0, weights = 0;
    for (const FlowNode::Path& path : node.paths) {
      sum += path.weight * reduce(path.nodes, false, false);
      weights += path.weight;
    }
    return weights > 0 ? sum / weights : 0;
  }

  void collect_sources(const FlowNode& node, std::vector<const FlowNode*>& out) const {
    if (exposed_cycles_.contains(&node))
      out.push_back(&node);
    for (const FlowNode::Path& path : node.paths)
      for (const FlowNode& inner : path.nodes)
        collect_sources(inner, out);
  }
  static std::vector<std::uint32_t> uses_of(const FlowNode& node) {
    std::vector<std::uint32_t> uses = node.uses;
    for (const FlowNode::Path& path : node.paths)
      for (const FlowNode& inner : path.nodes) {
        const auto inner_uses = uses_of(inner);
        uses.insert(uses.end(), inner_uses.begin(), inner_uses.end());
      }
    return uses;
  }
  static std::optional<Source> find(const std::vector<std::vector<const FlowNode*>>& sources,
                                    std::uint32_t id, std::size_t from, std::size_t to) {
    for (std::size_t i = to; i-- > from;)
      for (const FlowNode* source : sources[i])
        if (source->id == id && id != 0)
          return Source{i, source};
    return std::nullopt;
  }
  static std::size_t covered_from(const std::vector<FlowNode>& nodes, const Source& source) {
    return is_composite(nodes[source.index]) ? source.index + 1 : source.index;
  }
  void add_arc(std::vector<double>& weights, const std::vector<FlowNode>& nodes, const Source& source,
               std::size_t use) {
    const auto at = [&](std::size_t i) { return weights.begin() + static_cast<std::ptrdiff_t>(i); };
    const double covered = std::accumulate(at(std::min(covered_from(nodes, source), use)), at(use), 0.0);
    weights[use - 1] += std::max(0.0, exposed_cycles_.at(source.node) - covered);
  }
  void add_carried_arc(std::vector<double>& weights, const std::vector<FlowNode>& nodes, const Source& source,
                       std::size_t use) {
    double covered = 0;
    for (std::size_t i = covered_from(nodes, source); i < weights.size(); ++i)
      covered += weights[i];
    for (std::size_t i = 0; i < use; ++i)
      covered += weights[i];
    weights.back() += std::max(0.0, exposed_cycles_.at(source.node) - covered);
  }

  std::map<const FlowNode*, double> transition_cycles_, exposed_cycles_; ///< looked up only, never walked
  std::set<std::uint32_t> used_;
};

} // namespace

double sum_over_flow(const Sequence& flow, const FlowWeight& weight) {
  double sum = 0;
  Walk([&](const FlowNode& node, const FlowPlace& place, double times) {
    sum += times * weight(node, place);
  }).sequence(flow, 1);
  return sum;
}

double contained_in_flow(const Sequence& flow, const FlowWeight& weight) {
  double sum = 0;
  Walk(
      [&](const FlowNode& node, const FlowPlace& place, double times) { sum += times * weight(node, place); },
      true)
      .sequence(flow, 1);
  return sum;
}

double reduce_flow(const Sequence& flow, const FlowWeight& transition, const FlowWeight& exposed) {
  return Reducer(flow, transition, exposed).reduce(flow, false, true);
}

} // namespace forewarp::models
