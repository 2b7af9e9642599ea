// The reductions of Baghsorkhi et al., Fig. 2-4, worked by hand.
#include "predict/published/flow_reduction.h"

#include <gtest/gtest.h>

namespace forewarp::models {
namespace {

using facts::FlowNode;
using Kind = FlowNode::Kind;

// Test weights: a compute node costs its count, a memory node's transition lambda, its dependence arc
// latency.
double transition(const FlowNode& node, const FlowPlace&) {
  return node.kind == Kind::memory ? node.lambda_cycles : node.count;
}
double exposed(const FlowNode& node, const FlowPlace&) {
  return node.latency_cycles;
}
double reduce(const std::vector<FlowNode>& flow) {
  return reduce_flow(flow, transition, exposed);
}

FlowNode compute(double count, std::vector<std::uint32_t> uses = {}) {
  return {.kind = Kind::compute, .count = count, .uses = std::move(uses)};
}
FlowNode load(std::uint32_t id, double lambda, double latency, std::vector<std::uint32_t> uses = {}) {
  return {.kind = Kind::memory,
          .id = id,
          .lambda_cycles = lambda,
          .latency_cycles = latency,
          .uses = std::move(uses)};
}
FlowNode store(double lambda) {
  FlowNode node = load(0, lambda, 1000);
  node.waited = false;
  return node;
}
FlowNode loop(double trips, std::vector<FlowNode> body) {
  return {.kind = Kind::loop, .trips = trips, .paths = {{1, std::move(body)}}};
}

TEST(FlowReduction, Sequence) {
  EXPECT_DOUBLE_EQ(reduce({compute(3), compute(4)}), 7);
}
TEST(FlowReduction, StoresExposeNothing) {
  EXPECT_DOUBLE_EQ(reduce({compute(3), store(5)}), 8);
}

// Fig. 4 (a, b): load, 10 cycles of other work, use: 100 exposed, 2 + 10 covered.
TEST(FlowReduction, WorkBeforeTheUseCovers) {
  EXPECT_DOUBLE_EQ(reduce({load(1, 2, 100), compute(10), compute(5, {1})}), 2 + 10 + 88 + 5);
  EXPECT_DOUBLE_EQ(reduce({load(1, 2, 100), compute(200), compute(5, {1})}), 2 + 200 + 5);
}
// Fig. 4 (c-e): M, N, A uses M, B uses N; Latency_BW 4, exposed 50. W_NA = max(0, 50 - 8) + 4 = 46; A's own
// 6; W_AB = max(0, 50 - (46 + 6)) + 6 = 6: the overlapped latency counts once. 4 + 46 + 6 + B 7 = 63.
TEST(FlowReduction, InterleavedLoads) {
  EXPECT_DOUBLE_EQ(reduce({load(1, 4, 50), load(2, 4, 50), compute(6, {1}), compute(7, {2})}), 63);
  EXPECT_DOUBLE_EQ(reduce({load(1, 4, 50), load(2, 4, 50), compute(6, {1, 2})}), 4 + 46 + 4 + 6);
}
TEST(FlowReduction, UnusedLoadIsWaitedForAtTheEnd) {
  EXPECT_DOUBLE_EQ(reduce({compute(3), load(1, 2, 6)}), 9);
  EXPECT_DOUBLE_EQ(reduce({load(0, 2, 60), compute(10)}), 60);
}
TEST(FlowReduction, LoopMultiplies) {
  EXPECT_DOUBLE_EQ(reduce({loop(10, {load(1, 2, 20), compute(5, {1})})}), 10 * (20 + 5));
  EXPECT_DOUBLE_EQ(reduce({loop(3, {loop(4, {compute(2)}), compute(1)})}), 3 * 9);
}
// Prefetch: the load of one iteration is used by the first node of the next one, 3 + 30 cycles later.
TEST(FlowReduction, ArcAcrossIterations) {
  EXPECT_DOUBLE_EQ(reduce({loop(10, {compute(5, {1}), load(1, 3, 20), compute(30)})}), 10 * 38);
  EXPECT_DOUBLE_EQ(reduce({loop(10, {compute(5, {1}), load(1, 3, 50), compute(30)})}), 10 * (38 + 17));
}
// A load before a loop whose body uses it: covered by what lies between, paid once and not per iteration.
TEST(FlowReduction, ArcIntoALoop) {
  EXPECT_DOUBLE_EQ(reduce({load(1, 2, 100), compute(8), loop(10, {compute(5, {1})})}), 100 + 50);
}
// A load in a loop used after it: nothing is known of when the last iteration loaded; covered by what follows
// the loop.
TEST(FlowReduction, ArcOutOfALoop) {
  EXPECT_DOUBLE_EQ(reduce({loop(10, {load(1, 2, 100)}), compute(30), compute(5, {1})}), 20 + 100 + 5);
}
// Fig. 3 (e): (0.25 * 40 + 0.75 * 8) / 1 = 16.
TEST(FlowReduction, BranchAverages) {
  const FlowNode branch{.kind = Kind::branch, .paths = {{0.25, {compute(40)}}, {0.75, {compute(8)}}}};
  EXPECT_DOUBLE_EQ(reduce({compute(1), branch}), 17);
  EXPECT_DOUBLE_EQ(
      sum_over_flow({branch}, [](const FlowNode&, const FlowPlace& place) { return place.warp_share; }),
      0.25 * 0.25 + 0.75 * 0.75);
}
TEST(FlowReduction, SumCountsTrips) {
  EXPECT_DOUBLE_EQ(sum_over_flow({compute(1), loop(5, {compute(2), loop(2, {compute(3)})})},
                                 [](const FlowNode& node, const FlowPlace&) { return node.count; }),
                   1 + 5 * (2 + 6));
}

} // namespace
} // namespace forewarp::models
