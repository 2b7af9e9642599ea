// P's example kernel: rows of shared/sources/notes.md section 1, worked there by hand and by an independent
// script.
#include "example_kernel.h"

#include <map>

namespace forewarp::pipeline::example {
namespace {

struct Row {
  int variant;
  SchedulerPolicy policy;
  std::vector<double> cycles; ///< one run of 1, 2, ... warps
};

TEST(ExampleKernel, CyclesPerRun) {
  const std::vector<Row> rows = {
      {1, SchedulerPolicy::oldest_first, {25, 27, 30, 32, 34, 38, 50, 55, 57, 59}},
      {1, SchedulerPolicy::round_robin, {25, 28, 32, 35, 38, 41, 44, 48, 53, 58}},
      {2, SchedulerPolicy::oldest_first, {25, 27, 29, 31, 33, 36, 49, 51, 53, 55}},
      {2, SchedulerPolicy::round_robin, {25, 27, 29, 31, 34, 38, 43, 48, 53, 58}},
  };
  for (const Row& row : rows)
    for (unsigned warps = 1; warps <= row.cycles.size(); ++warps)
      EXPECT_DOUBLE_EQ(cycles_per_run(row.variant, row.policy, warps), row.cycles[warps - 1])
          << "variant " << row.variant << ", policy " << static_cast<int>(row.policy) << ", warps " << warps;
}

struct IssueTimes : Listener {
  std::map<std::uint32_t, std::vector<double>> of_warp;
  void on_issue(const IssueEvent& event) override { of_warp[event.group].push_back(event.issue_cycle); }
};

// V1: both warps are data-ready at 0; the compute pipe takes C1 C2 of warp 0, then of warp 1; M1 waits for C2
// (1 + 4); the second M1 for its C2 (3 + 4) and the pipe (5 + 2); everything after is a chain of 6 and 4.
TEST(ExampleKernel, IssueTimesOfTwoWarpsVariant1) {
  IssueTimes times;
  EXPECT_DOUBLE_EQ(cycles_per_run(1, SchedulerPolicy::oldest_first, 2, &times), 27);
  EXPECT_EQ(times.of_warp[0], (std::vector<double>{0, 1, 5, 11, 15, 19}));
  EXPECT_EQ(times.of_warp[1], (std::vector<double>{2, 3, 7, 13, 17, 21}));
}
TEST(ExampleKernel, IssueTimesOfTwoWarpsVariant2) {
  IssueTimes times;
  EXPECT_DOUBLE_EQ(cycles_per_run(2, SchedulerPolicy::oldest_first, 2, &times), 27);
  EXPECT_EQ(times.of_warp[0], (std::vector<double>{0, 4, 8, 14, 15, 19}));
  EXPECT_EQ(times.of_warp[1], (std::vector<double>{1, 5, 10, 16, 17, 21}));
}

// Roof: 4 compute instructions a warp at one a cycle = 2 memory instructions at two cycles = 1/4 warp per
// cycle.
TEST(ExampleKernel, RefillComesNearTheRoofButNeverAbove) {
  for (const auto policy : {SchedulerPolicy::oldest_first, SchedulerPolicy::round_robin,
                            SchedulerPolicy::greedy_then_oldest, SchedulerPolicy::two_level})
    for (const int which : {1, 2}) {
      const double throughput = 120 / cycles_per_run(which, policy, 10, nullptr, 120);
      EXPECT_LE(throughput, 0.25);
      EXPECT_GE(throughput, policy == SchedulerPolicy::two_level ? 0.2 : 0.235) << static_cast<int>(policy);
    }
}

} // namespace
} // namespace forewarp::pipeline::example
