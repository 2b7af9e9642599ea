#include "pipeline/profile/profile.h"

#include "derived/pipeline/example_kernel.h"

#include <nlohmann/json.hpp>

namespace forewarp::pipeline {
namespace {

const ProfileNames names = {{"compute", "memory"}, {"C1", "C2", "M1", "C3", "C4", "M2"}, "example <kernel>"};

struct Recorded {
  ProfileRecorder profile;
  Outcome outcome;
};
Recorded example_run(unsigned warps) {
  Recorded run;
  ProgramSource source(example::variant(1), 1, warps);
  run.outcome = *simulate(example::core(SchedulerPolicy::oldest_first, warps), source, &run.profile);
  return run;
}

// One warp: compute busy at 0, 1, 11, 15 (one cycle each), memory at 5-7 and 19-21, of 25 cycles; nothing
// overlaps.
TEST(Profile, SummaryOfOneWarp) {
  const Recorded run = example_run(1);
  const ProfileSummary summary = summarize(run.profile, run.outcome, names);
  ASSERT_EQ(summary.pipelines.size(), 2u);
  EXPECT_DOUBLE_EQ(summary.pipelines[0].busy_fraction, 4 / 25.0);
  EXPECT_DOUBLE_EQ(summary.pipelines[1].busy_fraction, 4 / 25.0);
  EXPECT_DOUBLE_EQ(summary.pipelines[0].in_flight_fraction, 13 / 25.0); // 0-5, 11-19
  EXPECT_DOUBLE_EQ(summary.pipelines[1].mean_in_flight, 12 / 25.0);
  EXPECT_DOUBLE_EQ(summary.any_busy_fraction, 8 / 25.0);
  EXPECT_DOUBLE_EQ(summary.overlap_fraction, 0);
  // waits: M1 for C2 from 1 to 5, C3 for M1 5-11, C4 11-15, M2 15-19; the tail is no wait
  EXPECT_DOUBLE_EQ(summary.stall_cycles[static_cast<int>(StallCause::dependence_memory)], 6);
  EXPECT_DOUBLE_EQ(summary.stall_cycles[static_cast<int>(StallCause::dependence_arithmetic)], 12);
  EXPECT_DOUBLE_EQ(summary.idle_stall_cycles[static_cast<int>(StallCause::dependence_memory)], 4); // 7 to 11
}
// Two warps: compute 0-4, 11, 13, 15, 17; memory 5-9, 19-23: no overlap yet. Ten warps overlap.
TEST(Profile, OverlapGrowsWithWarps) {
  const Recorded two = example_run(2), ten = example_run(10);
  EXPECT_DOUBLE_EQ(summarize(two.profile, two.outcome, names).overlap_fraction, 0);
  EXPECT_GT(summarize(ten.profile, ten.outcome, names).overlap_fraction, 0.3);
}
TEST(Profile, Text) {
  const Recorded run = example_run(2);
  const std::string text = profile_to_text(run.profile, run.outcome, names);
  EXPECT_NE(text.find("compute  0011.......0.1.0.1.........\n"), std::string::npos) << text;
  EXPECT_NE(text.find("memory   .....0011..........0011....\n"), std::string::npos) << text;
  EXPECT_NE(text.find("dependence_memory"), std::string::npos);
}
TEST(Profile, ChromeTraceIsJsonWithATrackPerPipelineAndWarp) {
  const Recorded run = example_run(2);
  const auto trace = nlohmann::json::parse(profile_to_chrome_trace(run.profile, run.outcome, names));
  int tracks = 0, issues = 0, stalls = 0;
  for (const auto& event : trace["traceEvents"]) {
    tracks += event["name"] == "thread_name";
    if (event["ph"] != "X")
      continue;
    EXPECT_GE(event["dur"].get<double>(), 0);
    issues += event["cat"] == "pipeline";
    stalls += event["cat"] == "stall";
  }
  EXPECT_EQ(tracks, 4);
  EXPECT_EQ(issues, 12);
  EXPECT_GT(stalls, 0);
}
TEST(Profile, SvgEscapesAndShowsEveryInstruction) {
  const Recorded run = example_run(2);
  const std::string svg = profile_to_svg(run.profile, run.outcome, names);
  EXPECT_NE(svg.find("example &lt;kernel&gt;"), std::string::npos);
  std::size_t boxes = 0;
  for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1))
    ++boxes;
  EXPECT_EQ(boxes, 12u);
}
TEST(Profile, RecorderKeepsToItsLimit) {
  ProfileRecorder profile(5);
  ProgramSource source(example::variant(1), 1, 4);
  const Outcome outcome = *simulate(example::core(SchedulerPolicy::oldest_first, 4), source, &profile);
  EXPECT_EQ(profile.issues.size() + profile.stalls.size() + profile.starts.size() + profile.finishes.size(),
            5u);
  EXPECT_GT(profile.dropped, 0u);
  EXPECT_NE(profile_to_text(profile, outcome, names).find("not shown"), std::string::npos);
}
TEST(Profile, EmptyRun) {
  ProfileRecorder profile;
  EXPECT_FALSE(profile_to_text(profile, {}, names).empty());
  EXPECT_NO_THROW(nlohmann::json::parse(profile_to_chrome_trace(profile, {}, names)));
  EXPECT_NE(profile_to_svg(profile, {}, names).find("</svg>"), std::string::npos);
}

} // namespace
} // namespace forewarp::pipeline
