// Dependences of small loops, access by access.
#include "port/helper/shadow.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

using Kind = facts::RegionDependence::Kind;

/// Two sites on one array of 64 floats: 0 loads, 1 stores.
class ShadowTest : public ::testing::Test {
protected:
  void SetUp() override {
    plan.candidates = 2;
    plan.sites = {{false, 4, "a", "", false}, {true, 4, "a", "", false}};
    objects.allocated(base, 256);
  }
  static std::uint64_t element(std::uint64_t index) { return base + 4 * index; }
  facts::RegionTrace finish(const Shadow& shadow) {
    facts::RegionTrace trace;
    shadow.finish(trace);
    return trace;
  }

  static constexpr std::uint64_t base = 0x10000;
  RegionPlan plan;
  Objects objects;
};

TEST_F(ShadowTest, ReadOfWhatAnEarlierIterationWroteIsTrueDependenceOfTheLoopThatDiffers) {
  Shadow shadow(plan, objects, 1 << 20);
  shadow.next_launch();
  shadow.next_iteration(0, {3, 0, 0});
  shadow.next_iteration(1, {3, 5, 0});
  shadow.access(1, element(7));
  shadow.next_iteration(1, {3, 6, 0});
  shadow.access(0, element(7)); // inner loop, distance 1
  shadow.next_iteration(0, {4, 0, 0});
  shadow.next_iteration(1, {4, 1, 0});
  shadow.access(0, element(7)); // outer loop, distance 1
  const facts::RegionTrace trace = finish(shadow);
  ASSERT_EQ(trace.dependences.size(), 2U);
  EXPECT_EQ(trace.dependences[0].kind, Kind::flow);
  EXPECT_EQ(trace.dependences[0].loop, 1U);
  EXPECT_EQ(trace.dependences[0].source_iteration, (std::array<std::int64_t, 3>{3, 5, 0}));
  EXPECT_EQ(trace.dependences[0].sink_iteration, (std::array<std::int64_t, 3>{3, 6, 0}));
  EXPECT_EQ(trace.dependences[1].loop, 0U);
  EXPECT_EQ(trace.dependences[1].sink_iteration[0], 4);
}

TEST_F(ShadowTest, OwnValuesAndOtherLaunchesAreNoDependence) {
  Shadow shadow(plan, objects, 1 << 20);
  shadow.next_launch();
  shadow.next_iteration(0, {0, 0, 0});
  shadow.access(1, element(2));
  shadow.access(0, element(2));
  shadow.next_launch();
  shadow.next_iteration(0, {1, 0, 0});
  shadow.access(0, element(2));
  shadow.access(1, element(2));
  EXPECT_TRUE(finish(shadow).dependences.empty());
}

TEST_F(ShadowTest, OverwritingWhatAnEarlierIterationReadNeedsACopyUnlessItWroteItItself) {
  Shadow shadow(plan, objects, 1 << 20);
  shadow.next_launch();
  shadow.next_iteration(0, {0, 0, 0});
  shadow.access(0, element(1)); // reads what came before
  shadow.access(1, element(9)); // writes, then reads: its own
  shadow.access(0, element(9));
  shadow.next_iteration(0, {1, 0, 0});
  shadow.access(1, element(1));
  shadow.access(1, element(9));
  const facts::RegionTrace trace = finish(shadow);
  bool exposed = false, own = false;
  for (const facts::RegionDependence& dependence : trace.dependences)
    if (dependence.kind == Kind::anti)
      (dependence.privatizable ? own : exposed) = true;
  EXPECT_TRUE(exposed);
  EXPECT_TRUE(own);
}

TEST_F(ShadowTest, CopiesAreFirstReadsAndWrites) {
  Shadow shadow(plan, objects, 1 << 20);
  shadow.next_launch();
  shadow.next_iteration(0, {0, 0, 0});
  for (std::uint64_t i = 0; i < 10; ++i)
    shadow.access(0, element(i));
  for (std::uint64_t i = 5; i < 20; ++i)
    shadow.access(1, element(i));
  for (std::uint64_t i = 12; i < 16; ++i)
    shadow.access(0, element(i)); // written before: not copied in
  const facts::RegionTrace trace = finish(shadow);
  ASSERT_EQ(trace.objects.size(), 1U);
  EXPECT_EQ(trace.objects[0].copy_in_bytes, 40U);
  EXPECT_EQ(trace.objects[0].written_bytes, 60U);
  EXPECT_EQ(trace.objects[0].read_bytes, 56U);
}

TEST_F(ShadowTest, SettledReadsAreCountedAndALateWriteAsksForAnotherRun) {
  Shadow shadow(plan, objects, 1 << 20);
  shadow.next_launch();
  shadow.next_iteration(0, {0, 0, 0});
  shadow.access(0, element(0));
  shadow.settle();
  shadow.access(0, element(1));
  shadow.access(0, element(2));
  EXPECT_FALSE(shadow.late_write());
  EXPECT_EQ(finish(shadow).objects[0].read_bytes, 12U);
  EXPECT_EQ(finish(shadow).objects[0].copy_in_bytes, 12U);
  shadow.next_iteration(0, {1, 0, 0});
  shadow.access(1, element(2));
  EXPECT_TRUE(shadow.late_write());
}

TEST_F(ShadowTest, TablesStayWithinTheirBudget) {
  Shadow shadow(plan, objects, 64);
  shadow.next_launch();
  shadow.next_iteration(0, {0, 0, 0});
  shadow.access(0, element(1));
  EXPECT_TRUE(shadow.over_budget());
  EXPECT_TRUE(finish(shadow).objects.empty());
}

} // namespace
} // namespace forewarp::port
