#include "pipeline/graph_model.h"

#include <gtest/gtest.h>

namespace forewarp::pipeline {
namespace {

facts::ModelFacts facts_of(std::vector<std::vector<std::uint32_t>> predecessors) {
  facts::ModelFacts facts;
  facts.subsystems = {"alu"};
  facts.mix = {{.name = "op", .lambda_cycles = 1, .latency_cycles = 10}};
  facts::WarpGraph graph;
  for (auto& list : predecessors)
    graph.instructions.push_back({0, 1, 10, std::move(list)});
  facts.graphs = {graph};
  return facts;
}

TEST(GraphModel, RegistersAreReused) {
  const facts::ModelFacts chain = facts_of({{}, {0}, {1}, {2}, {3}, {4}});
  const Program program = program_from_graph(chain, chain.graphs[0]);
  EXPECT_EQ(program.register_count, 1u);
  EXPECT_EQ(program.instructions.back().destination, no_register); // nobody uses it
  const facts::ModelFacts wide = facts_of({{}, {}, {}, {0, 1, 2}, {0}, {3, 4}});
  EXPECT_LE(program_from_graph(wide, wide.graphs[0]).register_count, 4u);
}
TEST(GraphModel, APredecessorListedTwiceCountsOnce) {
  const facts::ModelFacts twice = facts_of({{}, {}, {0, 0}, {1, 1, 2}, {3}});
  EXPECT_DOUBLE_EQ(simulate_graphs(twice, 1, {})->cycles, 40);
}
// Eight sources: all at 0 .. 7, ready 10 .. 17; the ninth instruction starts at 17 in spite of the join.
TEST(GraphModel, ManyPredecessorsAreJoined) {
  const facts::ModelFacts many = facts_of({{}, {}, {}, {}, {}, {}, {}, {}, {0, 1, 2, 3, 4, 5, 6, 7}, {8}});
  EXPECT_EQ(program_from_graph(many, many.graphs[0]).instructions.size(), 11u);
  EXPECT_DOUBLE_EQ(simulate_graphs(many, 1, {})->cycles, 37);
}
// Two warps of a group run different graphs: a chain of two and a chain of four.
TEST(GraphModel, DivergentWarps) {
  facts::ModelFacts facts = facts_of({{}, {0}});
  facts.graphs.push_back(facts_of({{}, {0}, {1}, {2}}).graphs[0]);
  facts.warps_per_group = 2;
  facts.warp_graphs = {0, 1};
  const auto result = simulate_graphs(facts, 1, {});
  EXPECT_DOUBLE_EQ(result->outcome.instructions, 6);
  EXPECT_DOUBLE_EQ(result->cycles, 41); // the long warp starts one slot later
}
TEST(GraphModel, NoGraphIsRefused) {
  const auto result = simulate_graphs({}, 1, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().where.find("graphs"), std::string::npos);
}
TEST(GraphModel, GroupsBeyondTheSimulatedOnesFollowAtTheSameRate) {
  facts::ModelFacts facts = facts_of({{}, {0}, {1}});
  facts.concurrent_groups = 4; // latency bound: four groups every 30 cycles, started a slot apart
  const auto result = simulate_graphs(facts, 4000, {});
  EXPECT_DOUBLE_EQ(result->simulated_groups, 24);
  EXPECT_NEAR(result->cycles, 30'000, 50);
}

} // namespace
} // namespace forewarp::pipeline
