// Order and seconds of what a bundle asks for.
#include "measure/run/plan.h"

#include <gtest/gtest.h>

namespace forewarp::measure {
namespace {

BundleKernel kernel_of(const std::string& name, double predicted_us, unsigned stage = 2) {
  BundleKernel kernel;
  kernel.name = name;
  kernel.kind = "corpus";
  BundleLaunch launch;
  launch.name = "default";
  launch.stage = stage;
  launch.predicted_us = predicted_us;
  kernel.launches = {launch};
  return kernel;
}

std::vector<std::string> names(const std::vector<Task>& tasks) {
  std::vector<std::string> result;
  for (const Task& task : tasks)
    result.push_back(task.name);
  return result;
}

TEST(Plan, GoesByStageAndInAStageByPredictedTime) {
  Bundle bundle;
  bundle.kernels = {kernel_of("slow", 50000), kernel_of("quick", 10), kernel_of("essential", 90000, 1),
                    kernel_of("middle", 9000)};
  EXPECT_EQ(names(plan_tasks(bundle, {})),
            (std::vector<std::string>{"time essential/default", "time quick/default", "time middle/default",
                                      "time slow/default", "host copies"}));
}

TEST(Plan, PointsOfAKernelStayTogether) {
  Bundle bundle;
  bundle.kernels = {kernel_of("a", 5000), kernel_of("b", 7000)};
  bundle.kernels[0].launches.push_back(bundle.kernels[0].launches[0]); // together dearer than b
  EXPECT_EQ(names(plan_tasks(bundle, {"a", "b"})),
            (std::vector<std::string>{"time b/default", "time a/default", "time a/default"}));
}

// 0.02 s for loading and twice 0.004 s for clocks; warm and cold; a launch costs 30 us more than its time.
TEST(Plan, SecondsFollowThePredictedTime) {
  Bundle bundle;
  bundle.kernels = {kernel_of("known", 9970), kernel_of("unknown", 0), kernel_of("long", 999970)};
  const auto seconds = [&](std::size_t kernel) {
    return seconds_of(bundle, {TaskKind::time, kernel, 0, 2, ""});
  };
  EXPECT_NEAR(seconds(0).usual, 0.028 + 2 * 8 * 0.01, 1e-9);    // seven repetitions and a warm-up
  EXPECT_NEAR(seconds(0).longest, 0.028 + 2 * 0.8, 1e-9);       // the rule's limit
  EXPECT_NEAR(seconds(1).usual, 0.028 + 2 * 8 * 0.00053, 1e-9); // half a millisecond
  EXPECT_NEAR(seconds(2).usual, 0.028 + 2 * 4 * 1.0, 1e-9);     // three and a warm-up, however slow
}

} // namespace
} // namespace forewarp::measure
