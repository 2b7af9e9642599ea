#include "statictrace/branch_search.h"

#include <algorithm>
#include <optional>

namespace forewarp::statictrace {
namespace {

/// BasicBlockInfo of Listing 1, as far as it changes: level 0 is the innermost loop.
struct NodeCounts {
  std::vector<std::uint64_t> bounds, unvisited;
  bool is_visited = false;
};

class Search {
public:
  Search(const SearchGraph& graph, TraceWalk& walk)
      : graph_(graph), walk_(walk), bound_of_loop_(graph.loops.size(), 1), on_stack_(graph.size()) {
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
      const std::uint32_t loop = graph.loop[n];
      const unsigned depth = loop == no_loop ? 1 : graph.loops[loop].depth;
      nodes_.push_back({std::vector<std::uint64_t>(depth, 1), std::vector<std::uint64_t>(depth, 0), false});
      nodes_.back().unvisited[0] = 1;
    }
  }

  /// Algorithm 1.
  void run() {
    std::uint32_t tau = graph_.entry;
    update(tau, false);
    while ((tau != graph_.exit || !nodes_[tau].is_visited) && !walk_.stop()) {
      const Next next = successor(tau);
      tau = next.node;
      update(tau, next.again);
    }
  }

private:
  struct Next {
    std::uint32_t node;
    bool again; ///< by a backedge
  };

  /// Algorithm 2.
  void update(std::uint32_t tau, bool again) {
    const std::uint32_t loop = graph_.loop[tau];
    if (loop != no_loop && graph_.loops[loop].header == tau && !again)
      bound_of_loop_[loop] = walk_.loop_bound(loop);
    NodeCounts& node = nodes_[tau];
    for (std::uint32_t l = loop, level = 0; l != no_loop; l = graph_.loops[l].parent, ++level)
      node.bounds[level] = bound_of_loop_[l];
    // A header that is entered anew, or a count that ran out: the level above goes on by one.
    if (loop != no_loop && node.unvisited[0] == 0)
      borrow(node);
    else if (loop != no_loop && !again && graph_.loops[loop].header == tau)
      node.unvisited[0] = node.bounds[0];
    if (node.unvisited[0] > 0)
      --node.unvisited[0];
    node.is_visited = std::ranges::all_of(node.unvisited, [](std::uint64_t left) { return left == 0; });
    walk_.visit(tau, again);
  }

  static void borrow(NodeCounts& node) {
    std::size_t level = 1;
    while (level < node.unvisited.size() && node.unvisited[level] == 0)
      ++level;
    if (level < node.unvisited.size())
      --node.unvisited[level];
    for (std::size_t j = 0; j < level && j < node.unvisited.size(); ++j)
      node.unvisited[j] = j == 0 ? node.bounds[j] : node.bounds[j] - 1;
  }

  /// Algorithm 3.
  Next successor(std::uint32_t tau) {
    if (const auto header = by_backedge(tau))
      return {*header, true};
    const std::vector<std::uint32_t> heads = closest(tau);
    if (heads.empty())
      return {pop(), false};
    const std::uint32_t candidate = preferred(tau, heads);
    for (std::size_t k = heads.size(); k-- > 0;)
      if (heads[k] != candidate)
        push(heads[k]);
    const bool other_path_left = std::ranges::any_of(
        stack_, [&](std::uint32_t node) { return node != candidate && graph_.reaches(node, candidate); });
    if (other_path_left) {
      push(candidate);
      return {pop(), false};
    }
    if (on_stack_[candidate]) // it waits there for this path
      take_off(candidate);
    return {candidate, false};
  }

  /// Lines 3 to 16: the closest header with iterations left.
  std::optional<std::uint32_t> by_backedge(std::uint32_t tau) const {
    std::optional<std::uint32_t> found;
    for (const std::uint32_t header : graph_.back[tau]) {
      const NodeCounts& node = nodes_[header];
      if (node.unvisited[0] % node.bounds[0] == 0 || walk_.loop_is_empty(graph_.loop[header]))
        continue;
      if (!found || graph_.reaches(*found, header)) // further in
        found = header;
    }
    return found;
  }

  /// Lines 19 to 23: destinations that no other destination comes before.
  std::vector<std::uint32_t> closest(std::uint32_t tau) const {
    const std::vector<std::uint32_t>& all = graph_.forward[tau];
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t d : all)
      if (std::ranges::none_of(all, [&](std::uint32_t o) { return o != d && graph_.reaches(o, d); }))
        kept.push_back(d);
    return kept;
  }

  std::uint32_t preferred(std::uint32_t tau, const std::vector<std::uint32_t>& heads) const {
    for (std::uint32_t l = graph_.loop[tau]; l != no_loop; l = graph_.loops[l].parent)
      for (const std::uint32_t d : heads)
        if (graph_.contains(l, d))
          return d;
    return heads.front();
  }

  void push(std::uint32_t node) {
    if (on_stack_[node])
      return;
    on_stack_[node] = true;
    stack_.push_back(node);
  }
  std::uint32_t pop() {
    if (stack_.empty()) // a node without successors that is not the exit: nothing is left to visit
      return graph_.exit;
    const auto comes_first = [&](std::uint32_t node) {
      return std::ranges::none_of(
          stack_, [&](std::uint32_t other) { return other != node && graph_.reaches(other, node); });
    };
    const std::uint32_t node = *std::find_if(stack_.rbegin(), stack_.rend(), comes_first);
    take_off(node);
    return node;
  }
  void take_off(std::uint32_t node) {
    std::erase(stack_, node);
    on_stack_[node] = false;
  }

  const SearchGraph& graph_;
  TraceWalk& walk_;
  std::vector<NodeCounts> nodes_;
  std::vector<std::uint64_t> bound_of_loop_;
  std::vector<std::uint32_t> stack_;
  std::vector<bool> on_stack_;
};

} // namespace

void search_trace(const SearchGraph& graph, TraceWalk& walk) {
  Search(graph, walk).run();
}

} // namespace forewarp::statictrace
