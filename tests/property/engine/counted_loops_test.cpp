// Where a run would pass its budget, long loops are counted: the answer is near that of the whole run, at
// sizes where both can be had.
#include "engine/predict.h"
#include "launch/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace forewarp::engine {
namespace {

const std::filesystem::path root = FOREWARP_SOURCE_DIR;

/// A corpus kernel whose loops are long enough that a part of them is left out.
struct Long {
  const char* kernel;
  std::map<std::string, double> values;
};

PredictRequest request_for(const Long& what) {
  const auto file =
      launch::read_launch_file((root / "corpus" / what.kernel / "default.toml").string(), what.values);
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.kernel = file->kernel;
  request.compile.defines = file->defines;
  request.gpus.push_back(*gpu::Catalogue::open(root / "data/gpus")->find("v100"));
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
                                           Long{"strided_sum", {{"piece", 16384}}},
                                           Long{"correlation", {{"columns", 640}, {"points", 640}}},
                                           Long{"covariance", {{"columns", 640}, {"points", 640}}}));

} // namespace
} // namespace forewarp::engine
