// Where a run would pass its budget, long loops are counted: the answer is near that of the whole run, at
// sizes where both can be had.
#include "engine/predict.h"
#include "launch/parse.h"
#include "test_folders.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

namespace forewarp::engine {
namespace {

/// A corpus kernel whose loops are long enough that a part of them is left out.
struct Long {
  const char* kernel;
  std::map<std::string, double> values;
};

PredictRequest request_for(const Long& what) {
  const auto file = launch::read_launch_file(
      (test_folders::root / "corpus" / what.kernel / "default.toml").string(), what.values);
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.kernel = file->kernel;
  request.compile.defines = file->defines;
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::root / "data/gpus")->find("v100"));
  return request;
}

bool was_counted(const facts::Prediction& prediction) {
  return std::any_of(prediction.notes.begin(), prediction.notes.end(), [](const facts::Note& note) {
    return note.text.find("were counted, not run") != std::string::npos;
  });
}

class CountedLoops : public ::testing::TestWithParam<Long> {};

TEST_P(CountedLoops, TimeIsWithinFivePercentOfTheWholeRun) {
  PredictRequest request = request_for(GetParam());
  const auto whole = predict(request);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_FALSE(was_counted(whole->front()));
  request.run.max_instructions = 100;
  const auto counted = predict(request);
  ASSERT_TRUE(counted) << counted.error().message;
  EXPECT_TRUE(was_counted(counted->front()));
  EXPECT_NEAR(counted->front().time_ms / whole->front().time_ms, 1, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Kernels, CountedLoops,
                         ::testing::Values(Long{"gemm", {{"n", 8192}}}, Long{"mvt", {{"n", 16384}}},
                                           Long{"syrk", {{"m", 16384}}},
                                           Long{"strided_sum", {{"piece", 16384}}}));

/// Work-item i goes through those above it, those below it, or those away from the middle, in two loops.
constexpr const char* triangles = R"(
__kernel void triangle(__global const float* data, __global float* sums, int n, int points
#ifdef ROWS
                       , __global const int* rows
#endif
) {
  int i = get_global_id(0);
  if (i >= n)
    return;
#if SHAPE == 0
  int first = i + 1, last = n;
#elif SHAPE == 1
  int first = 0, last = i;
#else
  int first = 0, last = i < n / 4 ? 3 * i : n - i;
#endif
  float sum = 0.0f;
  for (int j = first; j < last; ++j)
    for (int k = 0; k < points; ++k)
#ifdef ROWS
      sum += data[rows[k] * n + i] * data[rows[k] * n + j];
#else
      sum += data[k * n + i] * data[k * n + j];
#endif
  sums[i] = sum;
}
)";

/// `rows`: which rows of the data are read stands in memory.
facts::Prediction of_triangle(const std::string& gpu, int shape, int n, int points, bool whole,
                              std::optional<facts::BufferValue> rows = std::nullopt) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("forewarp_triangle_" + std::to_string(getpid()) + ".cl");
  std::ofstream(path) << triangles;
  PredictRequest request;
  request.compile.path = path.string();
  request.compile.defines = {"SHAPE=" + std::to_string(shape)};
  request.launch.global_items = facts::Dim3{static_cast<std::uint64_t>(n), 1, 1};
  request.launch.group_size = facts::Dim3{32, 1, 1};
  const auto items = static_cast<std::uint64_t>(n);
  request.launch.arguments = {
      {"data", facts::BufferValue{facts::ScalarType::f32, items * static_cast<unsigned>(points), {}}},
      {"sums", facts::BufferValue{facts::ScalarType::f32, items, {}}},
      {"n", facts::ScalarValue{std::to_string(n)}},
      {"points", facts::ScalarValue{std::to_string(points)}}};
  if (rows) {
    request.compile.defines.emplace_back("ROWS");
    request.launch.arguments.emplace("rows", *rows);
    request.run.max_trace_bytes = 1'500'000; // less than the longest group's trace
  }
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::root / "data/gpus")->find(gpu));
  if (whole) {
    request.run.shortcuts.leave_out(facts::Shortcut::sampled_groups);
    request.run.shortcuts.leave_out(facts::Shortcut::trace_budget);
  }
  const auto predictions = predict(request);
  std::filesystem::remove(path);
  EXPECT_TRUE(predictions) << (predictions ? "" : predictions.error().message);
  return predictions ? predictions->front() : facts::Prediction{};
}

// A launch ends with its longest group, be it the first, the last or one in the middle of the grid.
TEST(TriangularLoops, TimeIsWithinFivePercentOfTheWholeRun) {
  for (const int shape : {0, 1, 2}) {
    const facts::Prediction usual = of_triangle("v100", shape, 768, 16, false);
    const facts::Prediction whole = of_triangle("v100", shape, 768, 16, true);
    EXPECT_NEAR(usual.time_ms / whole.time_ms, 1, 0.05) << shape;
    EXPECT_TRUE(std::ranges::any_of(usual.notes, [](const facts::Note& note) {
      return note.text.find("ends with its longest group") != std::string::npos;
    })) << shape;
  }
}

// Not run, since the longest group's trace would be cut.
TEST(TriangularLoops, ALongTraceIsCountedWithItsLongestGroup) {
  PredictRequest request = request_for({"correlation", {{"columns", 640}, {"points", 320}}});
  const auto usual = predict(request);
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_TRUE(was_counted(usual->front()));
  request.run.shortcuts.leave_out(facts::Shortcut::trace_budget);
  const auto whole = predict(request);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_FALSE(was_counted(whole->front()));
  EXPECT_NEAR(usual->front().time_ms / whole->front().time_ms, 1, 0.05);
}

// Inside of what a trace holds only a part of the longest group is simulated. Its first iterations find more
// in L1 than the others, stretches of the whole loop do not.
TEST(TriangularLoops, PartsOfTheLongestGroupStandForIt) {
  for (const double columns : {256.0, 320.0}) {
    PredictRequest request = request_for({"correlation", {{"columns", columns}, {"points", columns}}});
    const auto usual = predict(request);
    ASSERT_TRUE(usual) << usual.error().message;
    EXPECT_FALSE(was_counted(usual->front()));
    request.run.shortcuts.leave_out(facts::Shortcut::trace_cuts);
    const auto whole = predict(request);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_NEAR(usual->front().time_ms / whole->front().time_ms, 1, 0.05) << columns;
  }
}

// One group whose counted trace would be longer than the budget has fewer iterations.
TEST(TriangularLoops, ACountedTraceKeepsToItsBudget) {
  PredictRequest request = request_for({"correlation", {{"columns", 640}, {"points", 640}}});
  request.launch.global_items = facts::Dim3{32, 1, 1};
  request.run.max_instructions = 100;
  request.run.max_trace_bytes = 10'000'000;
  const auto few = predict(request);
  ASSERT_TRUE(few) << few.error().message;
  EXPECT_TRUE(was_counted(few->front()));
  request.run.max_trace_bytes = 30'000'000;
  const auto many = predict(request);
  ASSERT_TRUE(many) << many.error().message;
  // Fewer iterations find less in L2 of what those before them read.
  EXPECT_NEAR(few->front().time_ms / many->front().time_ms, 1, 0.1);
}

// Counting would not know which addresses are read: a dedispersion came out a hundred times too slow. What a
// small budget records of unlike iterations is rough, but near.
TEST(TriangularLoops, AddressesOutOfMemoryAreRunAndNotCounted) {
  const facts::BufferValue rows{facts::ScalarType::i32, 16, {}};
  const facts::Prediction usual = of_triangle("v100", 0, 768, 16, false, rows);
  const facts::Prediction whole = of_triangle("v100", 0, 768, 16, true, rows);
  EXPECT_FALSE(was_counted(usual));
  EXPECT_LT(usual.time_ms / whole.time_ms, 3);
  EXPECT_GT(usual.time_ms / whole.time_ms, 0.5);
}

} // namespace
} // namespace forewarp::engine
