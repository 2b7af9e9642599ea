// Algorithms 1 to 3 of Wang et al. (DATE 2019) on small graphs, worked by hand.
#include "statictrace/branch_search.h"

#include <gtest/gtest.h>

namespace forewarp::statictrace {
namespace {

using Nodes = std::vector<std::uint32_t>;

/// Every node is a hit; loops run as often as said.
struct AllHits final : TraceWalk {
  explicit AllHits(std::vector<std::uint64_t> of_loops) : bounds(std::move(of_loops)) {}
  std::uint64_t loop_bound(std::uint32_t loop) override { return bounds[loop]; }
  bool visit(std::uint32_t node, bool) override {
    trace.push_back(node);
    return true;
  }
  bool loop_is_empty(std::uint32_t) const override { return false; }
  bool stop() const override { return trace.size() > 100; }
  std::vector<std::uint64_t> bounds;
  Nodes trace;
};

SearchGraph graph_of(std::vector<Nodes> forward, std::vector<Nodes> back, std::vector<std::uint32_t> loop,
                     std::vector<SearchGraph::Loop> loops) {
  SearchGraph graph;
  graph.blocks = static_cast<std::uint32_t>(forward.size());
  graph.exit = graph.blocks - 1;
  graph.forward = std::move(forward);
  graph.back = std::move(back);
  graph.loop = std::move(loop);
  graph.loops = std::move(loops);
  graph.close();
  return graph;
}

// 0 -> {1, 2}, 1 -> {3, 4}, 3 and 4 -> 5, 2 and 5 -> 6: a branch below a branch. From 0 the head 1 is taken
// and 2 stored; from 1, 3 is taken and 4 stored; 5 is put off until 4, the other way to it, was visited; 6
// until 2 was.
TEST(BranchSearch, BranchBelowABranch) {
  const SearchGraph graph = graph_of({{1, 2}, {3, 4}, {6}, {5}, {5}, {6}, {}}, {{}, {}, {}, {}, {}, {}, {}},
                                     {no_loop, no_loop, no_loop, no_loop, no_loop, no_loop, no_loop}, {});
  AllHits walk({});
  search_trace(graph, walk);
  EXPECT_EQ(walk.trace, (Nodes{0, 1, 3, 4, 5, 2, 6}));
}

// 0 -> 1, the header of a loop over 1, 2, 3, 4 with a branch in it, 4 -> 1 back, 4 -> 5. Three iterations.
TEST(BranchSearch, BranchInALoop) {
  const SearchGraph graph = graph_of({{1}, {2, 3}, {4}, {4}, {5}, {}}, {{}, {}, {}, {}, {1}, {}},
                                     {no_loop, 0, 0, 0, 0, no_loop}, {{1, no_loop, 1}});
  AllHits walk({3});
  search_trace(graph, walk);
  EXPECT_EQ(walk.trace, (Nodes{0, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 5}));
}

// An outer loop over 1, 2, 3 with an inner one over 2 alone: two times three.
TEST(BranchSearch, NestedLoops) {
  const SearchGraph graph = graph_of({{1}, {2}, {3}, {4}, {}}, {{}, {}, {2}, {1}, {}},
                                     {no_loop, 0, 1, 0, no_loop}, {{1, no_loop, 1}, {2, 0, 2}});
  AllHits walk({2, 3});
  search_trace(graph, walk);
  EXPECT_EQ(walk.trace, (Nodes{0, 1, 2, 2, 2, 3, 1, 2, 2, 2, 3, 4}));
}

// A loop that tests at its head: 1 -> {3, 2}, 2 -> 1 back. The body goes before the exit, which waits on the
// stack.
TEST(BranchSearch, TestAtTheHead) {
  const SearchGraph graph =
      graph_of({{1}, {3, 2}, {}, {}}, {{}, {}, {1}, {}}, {no_loop, 0, 0, no_loop}, {{1, no_loop, 1}});
  AllHits walk({2});
  search_trace(graph, walk);
  EXPECT_EQ(walk.trace, (Nodes{0, 1, 2, 1, 2, 3}));
}

} // namespace
} // namespace forewarp::statictrace
