// The order in which each policy picks among ready warps.
#include "kernels.h"

namespace forewarp::pipeline::testing {
namespace {

std::vector<std::uint32_t>
order(SchedulerPolicy policy, const std::vector<std::shared_ptr<const Program>>& warps, unsigned active = 8) {
  Configuration configuration = one_pipe(1);
  configuration.policy = policy;
  configuration.two_level_active_warps = active;
  Issues issues;
  run(configuration, warps, 1, &issues);
  std::vector<std::uint32_t> warps_in_order;
  for (const IssueEvent& event : issues.events)
    warps_in_order.push_back(event.warp);
  return warps_in_order;
}
using Order = std::vector<std::uint32_t>;
const auto three = program({op(0, 1, 1), op(0, 1, 1), op(0, 1, 1)});

TEST(Scheduler, RoundRobinTakesTurns) {
  EXPECT_EQ(order(SchedulerPolicy::round_robin, {three, three, three}), (Order{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}
TEST(Scheduler, OldestFirstDrainsTheOldest) {
  EXPECT_EQ(order(SchedulerPolicy::oldest_first, {three, three}), (Order{0, 0, 0, 1, 1, 1}));
}
// Warp 0 stalls after its first instruction (latency 3) and is ready again at 3: greedy stays with warp 1.
TEST(Scheduler, GreedyStaysWithTheLastOldestFirstReturns) {
  const auto stalls = program({op(0, 1, 3, 0), op(0, 1, 1, 1, {0})});
  const auto runs = program({op(0, 1, 1), op(0, 1, 1), op(0, 1, 1), op(0, 1, 1)});
  EXPECT_EQ(order(SchedulerPolicy::greedy_then_oldest, {stalls, runs}), (Order{0, 1, 1, 1, 1, 0}));
  EXPECT_EQ(order(SchedulerPolicy::oldest_first, {stalls, runs}), (Order{0, 1, 1, 0, 1, 1}));
}
// Two active warps of four take turns; the others enter when these end.
TEST(Scheduler, TwoLevelKeepsToItsActiveSet) {
  EXPECT_EQ(order(SchedulerPolicy::two_level, {three, three, three, three}, 2),
            (Order{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
}
TEST(Scheduler, TwoLevelSwapsOutOnMemory) {
  Instruction load = op(1, 1, 50, 0);
  load.memory = true;
  const auto waits = program({load, op(0, 1, 1, 1, {0})});
  const auto short_wait = program({op(0, 1, 3, 0), op(0, 1, 1, 1, {0})});
  EXPECT_EQ(order(SchedulerPolicy::two_level, {waits, three}, 1), (Order{0, 1, 1, 1, 0}));
  EXPECT_EQ(order(SchedulerPolicy::two_level, {short_wait, three}, 1),
            (Order{0, 0, 1, 1, 1})); // stays in the set
}
TEST(Scheduler, AgeSurvivesRefill) {
  // Groups of one warp with 1, then many instructions: the new group is the youngest and must not overtake.
  struct Growing final : GroupSource {
    std::size_t made = 0;
    std::unique_ptr<GroupStreams> next() override {
      if (made == 3)
        return nullptr;
      const std::size_t count = made++ == 0 ? 1 : 4;
      ProgramSource one(program(std::vector<Instruction>(count, op(0, 1, 1))), 1, 1);
      return one.next();
    }
  } source;
  Configuration configuration = one_pipe(1);
  configuration.concurrent_groups = 2;
  Issues issues;
  ASSERT_TRUE(simulate(configuration, source, &issues).has_value());
  Order groups;
  for (const IssueEvent& event : issues.events)
    groups.push_back(event.group);
  EXPECT_EQ(groups, (Order{0, 1, 1, 1, 1, 2, 2, 2, 2}));
}

} // namespace
} // namespace forewarp::pipeline::testing
