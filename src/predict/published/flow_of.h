// The walks over a work flow graph and its reductions (Baghsorkhi et al. 2010, Fig. 2-4), for any kind of
// number: doubles where the counts are known, a program's values where they are closed forms.
//
// `Node` is facts::FlowNode or has its members; `decltype(Node::count)` is the number. Beside arithmetic a
// number has larger, smaller, quotient (0 where the divisor is 0), constant_like, rest_of and is_never
// (always 0), and a node has activity: 1 where it runs at all, else 0.
#pragma once

#include "facts/model_facts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace forewarp::models {

inline double larger(double a, double b) {
  return std::max(a, b);
}
inline double smaller(double a, double b) {
  return std::min(a, b);
}
inline double quotient(double a, double b) {
  return b == 0 ? 0 : a / b;
}
inline double constant_like(double, double value) {
  return value;
}
/// What is left of a branch when `taken` of its warps went other ways; below 1e-9: nothing.
inline double rest_of(double taken) {
  return taken < 1 - 1e-9 ? 1 - taken : 0;
}
inline bool is_never(double value) {
  return !(value > 0);
}
inline double activity(const facts::FlowNode&) {
  return 1;
}

/// Where a node stands.
template <class Number> struct PlaceOf {
  Number warp_share;        ///< of the warps, those that run it
  Number preceding_latency; ///< count * latency / ILP of the last computations before it; 0: none
};

template <class Node> using NumberOf = decltype(Node::count);
template <class Node>
using WeightOf = std::function<NumberOf<Node>(const Node&, const PlaceOf<NumberOf<Node>>&)>;

template <class Node> bool is_composite(const Node& node) {
  return node.kind == facts::FlowNode::Kind::loop || node.kind == facts::FlowNode::Kind::branch;
}

/// Calls `visit(node, place, times)` for the plain nodes in program order; `times` is the average number of
/// runs.
template <class Node> class FlowWalk {
public:
  using Number = NumberOf<Node>;
  using Visit = std::function<void(const Node&, const PlaceOf<Number>&, const Number& times)>;
  /// `contained`: every path of a branch counts as run once.
  FlowWalk(const Number& one, Visit visit, bool contained = false)
      : visit_(std::move(visit)), contained_(contained), one_(one), place_{one, constant_like(one, 0)} {}

  void sequence(const std::vector<Node>& nodes, const Number& times) {
    for (const Node& node : nodes)
      element(node, times);
  }

private:
  void element(const Node& node, const Number& times) {
    if (!is_composite(node)) {
      visit_(node, place_, times);
      if (node.kind == facts::FlowNode::Kind::compute)
        place_.preceding_latency = activity(node) * (node.count * node.latency_cycles / node.ilp) +
                                   (one_ - activity(node)) * place_.preceding_latency;
      return;
    }
    Number weights = constant_like(one_, 0);
    for (const auto& path : node.paths)
      weights = weights + path.weight;
    for (const auto& path : node.paths) {
      const Number share = place_.warp_share;
      const bool loop = node.kind == facts::FlowNode::Kind::loop;
      if (!loop)
        place_.warp_share = share * smaller(one_, path.weight);
      sequence(path.nodes, times * (loop ? node.trips : contained_ ? one_ : quotient(path.weight, weights)));
      place_.warp_share = share;
    }
  }

  Visit visit_;
  bool contained_;
  Number one_;
  PlaceOf<Number> place_;
};

template <class Node> class FlowReducer {
public:
  using Number = NumberOf<Node>;
  using Sequence = std::vector<Node>;

  FlowReducer(const Sequence& flow, const Number& one, const WeightOf<Node>& transition,
              const WeightOf<Node>& exposed)
      : one_(one), zero_(constant_like(one, 0)) {
    FlowWalk<Node>(one, [&](const Node& node, const PlaceOf<Number>& place, const Number&) {
      transition_.emplace(&node, transition(node, place));
      if (node.kind == facts::FlowNode::Kind::memory && node.waited)
        exposed_.emplace(&node, activity(node) * exposed(node, place));
      for (const std::uint32_t id : node.uses)
        use(used_, id, activity(node));
    }).sequence(flow, one);
  }

  Number reduce(const Sequence& nodes, bool loop_body, bool top_level) {
    std::vector<std::vector<const Node*>> sources(nodes.size());
    std::vector<Uses> uses(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      collect_sources(nodes[i], sources[i]);
      collect_uses(nodes[i], uses[i]);
    }
    std::vector<Number> before{zero_}; // of all nodes before each, arcs to it and to those before included
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      for (const auto& [id, active] : uses[at])
        if (const auto source = find(sources, id, 0, at))
          add_arc(before, nodes, *source, active);
      before.push_back(before.back() + element(nodes[at]));
    }
    if (loop_body)
      for (std::size_t at = 0; at < nodes.size(); ++at)
        for (const auto& [id, active] : uses[at])
          if (const auto source = find(sources, id, at, nodes.size());
              source && !find(sources, id, 0, at) && !(source->index == at && is_composite(nodes[at])))
            add_carried_arc(before, nodes, *source, at, active);
    if (top_level)
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const Node* source : sources[i])
          add_arc(before, nodes, {i, source}, unused(*source));
    return before.back();
  }

private:
  using Uses = std::vector<std::pair<std::uint32_t, Number>>; ///< of a memory node by id: whether it happens
  struct Source {
    std::size_t index;
    const Node* node;
  };

  static void use(Uses& uses, std::uint32_t id, const Number& active) {
    const auto found =
        std::find_if(uses.begin(), uses.end(), [&](const auto& one) { return one.first == id; });
    if (found == uses.end())
      uses.emplace_back(id, active);
    else
      found->second = larger(found->second, active);
  }
  /// 1 where nobody uses it: the end of the kernel waits then.
  Number unused(const Node& source) const {
    const auto found =
        std::find_if(used_.begin(), used_.end(), [&](const auto& one) { return one.first == source.id; });
    return source.id == 0 || found == used_.end() ? one_ : one_ - found->second;
  }

  Number element(const Node& node) {
    if (!is_composite(node))
      return transition_.at(&node);
    if (node.kind == facts::FlowNode::Kind::loop)
      return node.paths.empty() ? zero_ : node.trips * reduce(node.paths.front().nodes, true, false);
    Number sum = zero_, weights = zero_;
    for (const auto& path : node.paths) {
      sum = sum + path.weight * reduce(path.nodes, false, false);
      weights = weights + path.weight;
    }
    return quotient(sum, weights);
  }

  void collect_sources(const Node& node, std::vector<const Node*>& out) const {
    if (exposed_.contains(&node))
      out.push_back(&node);
    for (const auto& path : node.paths)
      for (const Node& inner : path.nodes)
        collect_sources(inner, out);
  }
  static void collect_uses(const Node& node, Uses& out) {
    for (const std::uint32_t id : node.uses)
      use(out, id, activity(node));
    for (const auto& path : node.paths)
      for (const Node& inner : path.nodes)
        collect_uses(inner, out);
  }
  static std::optional<Source> find(const std::vector<std::vector<const Node*>>& sources, std::uint32_t id,
                                    std::size_t from, std::size_t to) {
    for (std::size_t i = to; i-- > from;)
      for (const Node* source : sources[i])
        if (source->id == id && id != 0)
          return Source{i, source};
    return std::nullopt;
  }
  static std::size_t covered_from(const Sequence& nodes, const Source& source) {
    return is_composite(nodes[source.index]) ? source.index + 1 : source.index;
  }
  /// To the node that is reached last; what its transitions do not cover lengthens the way there.
  void add_arc(std::vector<Number>& before, const Sequence& nodes, const Source& source,
               const Number& active) {
    if (is_never(active))
      return;
    const Number covered = before.back() - before[std::min(covered_from(nodes, source), before.size() - 1)];
    before.back() = before.back() + active * larger(zero_, exposed_.at(source.node) - covered);
  }
  void add_carried_arc(std::vector<Number>& before, const Sequence& nodes, const Source& source,
                       std::size_t at, const Number& active) {
    const Number covered = before.back() - before[covered_from(nodes, source)] + before[at];
    before.back() = before.back() + active * larger(zero_, exposed_.at(source.node) - covered);
  }

  Number one_, zero_;
  std::map<const Node*, Number> transition_, exposed_; ///< looked up only, never walked
  Uses used_;
};

/// Sum over the executed nodes of one warp (average): loops multiply, branches average.
template <class Node>
NumberOf<Node> sum_over(const std::vector<Node>& flow, const NumberOf<Node>& one,
                        const WeightOf<Node>& weight) {
  NumberOf<Node> sum = constant_like(one, 0);
  FlowWalk<Node>(one, [&](const Node& node, const auto& place, const auto& times) {
    sum = sum + times * weight(node, place);
  }).sequence(flow, one);
  return sum;
}

/// The same with all paths of a branch counted whole, whatever share of the warps runs them: what a region
/// contains (W Eq. 7's p, q and n), not what is executed.
template <class Node>
NumberOf<Node> contained_in(const std::vector<Node>& flow, const NumberOf<Node>& one,
                            const WeightOf<Node>& weight) {
  NumberOf<Node> sum = constant_like(one, 0);
  FlowWalk<Node>(
      one,
      [&](const Node& node, const auto& place, const auto& times) {
        sum = sum + activity(node) * (times * weight(node, place));
      },
      true)
      .sequence(flow, one);
  return sum;
}

} // namespace forewarp::models
