// Laws of the simulator over random dependence graphs: never above the roof; a single warp between its
// critical path and the sum of its latencies; equal runs give equal numbers; warps of equal programs can be
// relabelled.
#include "pipeline/graph_model.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace forewarp::pipeline {
namespace {

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435761u + 1) {}
  double uniform(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>(uniform(0, limit)); }

private:
  std::uint64_t state_;
};

facts::ModelFacts random_facts(std::uint64_t seed) {
  Random random(seed);
  facts::ModelFacts facts;
  facts.subsystems = {"alu", "sfu", "memory"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const double lambda = random.uniform(0.25, i == 2 ? 20 : 4);
    facts.mix.push_back({.name = facts.subsystems[i],
                         .kind = i == 2 ? facts::ModelClassKind::memory : facts::ModelClassKind::compute,
                         .subsystem = i,
                         .lambda_cycles = lambda,
                         .latency_cycles = lambda * random.uniform(1, 30)});
  }
  facts::WarpGraph graph;
  const unsigned count = 20 + random.below(60);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned which = random.below(3);
    // as the program stores them: the simulator's times are floats
    const auto lambda = static_cast<float>(facts.mix[which].lambda_cycles);
    const auto latency = static_cast<float>(facts.mix[which].latency_cycles);
    facts::ModelInstruction instruction{which, lambda, latency, {}};
    for (unsigned edges = random.below(9); i > 0 && edges > 0; --edges)
      instruction.predecessors.push_back(i - 1 - random.below(std::min(i, 12u)));
    facts.mix[which].count_per_warp += 1;
    graph.instructions.push_back(instruction);
  }
  facts.graphs = {graph};
  facts.warps_per_group = 1 + random.below(4);
  facts.concurrent_groups = 1 + random.below(8);
  facts.issue_limit = random.below(2) ? 0 : random.uniform(0.5, 4);
  return facts;
}

double roof(const facts::ModelFacts& facts) { // cycles per warp
  std::vector<double> busy(3);
  for (const auto& instruction : facts.graphs[0].instructions)
    busy[instruction.mix_class] += instruction.lambda_cycles;
  double most = *std::max_element(busy.begin(), busy.end());
  if (facts.issue_limit > 0)
    most = std::max(most, static_cast<double>(facts.graphs[0].instructions.size()) / facts.issue_limit);
  return most;
}

const SchedulerPolicy policies[] = {SchedulerPolicy::round_robin, SchedulerPolicy::greedy_then_oldest,
                                    SchedulerPolicy::oldest_first, SchedulerPolicy::two_level};

TEST(Bounds, NeverAboveTheRoof) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed)
    for (const SchedulerPolicy policy : policies) {
      const facts::ModelFacts facts = random_facts(seed);
      GraphModelOptions options;
      options.policy = policy;
      options.simulated_waves = 0;
      const double groups = 3 * facts.concurrent_groups;
      const auto result = simulate_graphs(facts, groups, options);
      ASSERT_TRUE(result.has_value());
      // all but the last instruction of each pipe must have left it
      const double least = groups * facts.warps_per_group * roof(facts);
      const double slack = 21 + (facts.issue_limit > 0 ? 1 / facts.issue_limit : 0);
      EXPECT_GE(result->cycles, least - slack) << seed;
    }
}

TEST(Bounds, SingleWarpBetweenCriticalPathAndLatencySum) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    facts::ModelFacts facts = random_facts(seed);
    facts.warps_per_group = facts.concurrent_groups = 1;
    facts.issue_limit = 0;
    std::vector<double> end;
    double longest = 0, sum = 0;
    for (const auto& instruction : facts.graphs[0].instructions) {
      double start = 0;
      for (const auto predecessor : instruction.predecessors)
        start = std::max(start, end[predecessor]);
      end.push_back(start + instruction.latency_cycles);
      longest = std::max(longest, end.back());
      sum += instruction.latency_cycles;
    }
    const double cycles = simulate_graphs(facts, 1, {})->cycles;
    EXPECT_GE(cycles, longest - 1e-9) << seed;
    EXPECT_LE(cycles, sum + 1e-9) << seed;
  }
}

TEST(Bounds, EqualRunsGiveEqualNumbers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const facts::ModelFacts facts = random_facts(seed);
    const auto first = simulate_graphs(facts, 100, {});
    const auto second = simulate_graphs(facts, 100, {});
    EXPECT_EQ(first->cycles, second->cycles);
    EXPECT_EQ(first->outcome.stall_cycles, second->outcome.stall_cycles);
  }
}

TEST(Bounds, ExtrapolationAgreesWithTheWholeRun) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const facts::ModelFacts facts = random_facts(seed);
    GraphModelOptions whole;
    whole.simulated_waves = 0;
    const double groups = 40 * facts.concurrent_groups;
    const double all = simulate_graphs(facts, groups, whole)->cycles;
    EXPECT_NEAR(simulate_graphs(facts, groups, {})->cycles / all, 1, 0.08) << seed;
  }
}

TEST(Bounds, EveryInstructionIssuesOnce) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    facts::ModelFacts facts = random_facts(seed);
    for (auto& instruction : facts.graphs[0].instructions) // few enough edges that nothing is joined
      instruction.predecessors.resize(std::min<std::size_t>(instruction.predecessors.size(), 6));
    const auto result = simulate_graphs(facts, 8, {});
    EXPECT_DOUBLE_EQ(result->outcome.instructions,
                     result->simulated_groups * facts.warps_per_group *
                         static_cast<double>(facts.graphs[0].instructions.size()));
  }
}

} // namespace
} // namespace forewarp::pipeline
