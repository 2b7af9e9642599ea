// Words of the recording code -> dynamic part of a trace.
#include "port/helper/recorder.h"
#include "port/helper/serialise.h"

#include <gtest/gtest.h>

namespace forewarp::port {
namespace {

constexpr std::uint64_t entry = 1ULL << 63;

/// for i { for j: block 1, one access } : block 0 is i's header, block 1 j's.
RegionPlan two_loops() {
  RegionPlan plan;
  plan.candidates = plan.dimensions = 2;
  plan.loop_steps = {1, 1};
  plan.innermost = {false, true};
  plan.blocks = {{0, 0, 0, true, 0}, {0, 1, 1, true, 1}};
  plan.sites = {{true, 4, "a", "", false}};
  plan.block = {2, 1, 1};
  plan.extents = {3, 4, 1};
  plan.detail_blocks = 2;
  return plan;
}

std::vector<std::uint64_t> words_of(unsigned rows, unsigned columns) {
  std::vector<std::uint64_t> words = {entry | 0, 0};
  for (unsigned i = 0; i < rows; ++i) {
    words.insert(words.end(), {0, entry | 1, 1}); // j begins at 1
    for (unsigned j = 0; j < columns; ++j)
      words.insert(words.end(), {1, 0x1000 + 64 * i + 4 * j});
  }
  return words;
}

TEST(Recorder, CountsLoopsAndLaunches) {
  const RegionPlan plan = two_loops();
  const Objects objects;
  const Budget budget;
  RegionRecorder recorder(plan, RunKind::survey, objects, budget);
  for (const unsigned columns : {3U, 2U}) {
    const auto words = words_of(3, columns);
    recorder.begin();
    recorder.words(words.data(), words.data() + words.size());
    recorder.end();
  }
  facts::RegionTrace trace;
  recorder.finish(trace);
  ASSERT_EQ(trace.loops.size(), 2U);
  EXPECT_EQ(trace.loops[0].iterations, 6U);
  EXPECT_EQ(trace.loops[1].executions, 6U);
  EXPECT_EQ(trace.loops[1].iterations, 15U);
  EXPECT_EQ(trace.loops[1].detailed_launch_iterations, 9U);
  EXPECT_EQ(trace.loops[1].min_trips, 2U);
  EXPECT_EQ(trace.loops[1].max_trips, 3U);
  ASSERT_EQ(trace.launches.size(), 2U);
  EXPECT_EQ(trace.launches[0].extents, (std::array<std::uint64_t, 3>{3, 4, 1})); // j runs 1 .. 3
  EXPECT_EQ(trace.launches[1].block_runs, 9U);
  EXPECT_EQ(trace.launches[1].innermost_iterations, 6U);
}

TEST(Recorder, KeepsTheFirstBlocksThreadsWithTheirOuterBodies) {
  const RegionPlan plan = two_loops();
  const Objects objects;
  const Budget budget;
  RegionRecorder recorder(plan, RunKind::detail, objects, budget);
  const auto words = words_of(3, 3);
  recorder.begin();
  recorder.words(words.data(), words.data() + words.size());
  recorder.end();
  facts::RegionTrace trace;
  recorder.finish(trace);
  // Blocks of 2 threads in a row of 4: the first two blocks are row 0, whose thread 0 is idle. Beside
  // them the nearest blocks of row 1.
  ASSERT_EQ(trace.threads.size(), 6U);
  EXPECT_EQ(trace.threads[0].coordinate[1], 1U);
  EXPECT_EQ(trace.threads[2].coordinate[1], 3U);
  EXPECT_EQ(trace.threads[0].step_count, 2U); // i's header, then its own block
  EXPECT_EQ(trace.steps[0], 0U);
  EXPECT_EQ(trace.steps[1], 1U);
  ASSERT_EQ(trace.addresses.size(), 6U);
  EXPECT_EQ(std::vector(trace.addresses.begin(), trace.addresses.begin() + 3),
            (std::vector<std::uint64_t>{0x1000, 0x1004, 0x1008}));
  EXPECT_EQ(trace.launches[0].threads, 9U);
}

TEST(Recorder, TheBudgetEndsTheRecord) {
  const RegionPlan plan = two_loops();
  const Objects objects;
  Budget budget;
  budget.detail_words = 1;
  RegionRecorder recorder(plan, RunKind::detail, objects, budget);
  const auto words = words_of(3, 3);
  recorder.begin();
  recorder.words(words.data(), words.data() + words.size());
  recorder.end();
  facts::RegionTrace trace;
  recorder.finish(trace);
  EXPECT_FALSE(trace.trace_complete);
  EXPECT_LT(trace.threads.size(), 3U);
}

TEST(Serialise, GivesBackWhatWentInAndRefusesHalf) {
  RunResult result;
  result.code = 3;
  result.message = "words";
  result.times = {{1.5, 2}};
  facts::RegionTrace trace;
  trace.addresses = {1, 2, 3};
  trace.threads.resize(2);
  trace.objects.resize(1);
  trace.objects[0].name = "a";
  result.regions.push_back(trace);
  const std::string bytes = to_bytes(result);
  const auto back = from_bytes(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->message, "words");
  EXPECT_EQ(back->regions[0].addresses, trace.addresses);
  EXPECT_EQ(back->regions[0].objects[0].name, "a");
  EXPECT_DOUBLE_EQ(back->times[0].total_ms, 1.5);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(from_bytes(bytes.substr(0, size)).has_value()) << size;
}

} // namespace
} // namespace forewarp::port
