// The two readings of how long an access holds its resource (docs/models/wang2019.md).
#include "engine/predict.h"
#include "launch/parse.h"
#include "test_folders.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace forewarp::engine {
namespace {

double ms(const std::string& kernel, const std::string& model) {
  const auto file =
      launch::read_launch_file((test_folders::root / "corpus" / kernel / "default.toml").string());
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.kernel = file->kernel;
  request.compile.defines = file->defines;
  request.model = model;
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::root / "data/gpus")->find("k620"));
  const auto predictions = predict(request);
  EXPECT_TRUE(predictions) << (predictions ? "" : predictions.error().message);
  return predictions ? predictions->front().time_ms : 0;
}

// A warp's stores of transpose_naive go to 32 lines: held for each of them, the memory is busy for much
// longer. Where each access is one transaction, the readings agree.
TEST(Wang2019Readings, TransactionsCountWhereThereAreSeveral) {
  EXPECT_GT(ms("transpose_naive", "wang2019_transactions"), 3 * ms("transpose_naive", "wang2019"));
  EXPECT_DOUBLE_EQ(ms("vector_add", "wang2019_transactions"), ms("vector_add", "wang2019"));
}

// With every operation's share of the pipeline, nothing gets faster; where memory is what everybody waits
// for, nothing changes much.
TEST(Wang2019Readings, AComputationPipelineOnlyAddsWaiting) {
  for (const char* kernel : {"black_scholes", "vector_add"})
    EXPECT_GE(ms(kernel, "wang2019_pipeline"), 0.999 * ms(kernel, "wang2019_transactions")) << kernel;
}

} // namespace
} // namespace forewarp::engine
