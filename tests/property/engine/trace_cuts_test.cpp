// Long traces simulated in two parts against the same traces simulated whole.
#include "engine/stages.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "predict/traced/waves/sm_run.h"

#include <gtest/gtest.h>

namespace forewarp::engine {
namespace {

std::string source_path(const std::string& below) {
  return std::string(FOREWARP_SOURCE_DIR) + '/' + below;
}

/// A corpus kernel's facts on V100, and what they lie in.
class TraceCuts : public testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    const auto file =
        launch::read_launch_file(source_path(std::string("corpus/") + GetParam() + "/default.toml"));
    ASSERT_TRUE(file);
    request_.compile.path = file->source;
    request_.compile.defines = file->defines;
    request_.kernel = file->kernel;
    request_.launch = file->launch;
    request_.gpus.push_back(*gpu::Catalogue::open(source_path("data/gpus"))->find("v100"));
    targets_ = planner_.plan(request_);
    ASSERT_TRUE(targets_);
    RunStore store;
    runs_ = run_all(request_, *targets_, store);
    ASSERT_TRUE(runs_);
    profile_ = profile_of(request_, targets_->front(), *targets_->front().machine, *runs_->begin()->second);
    ASSERT_TRUE(profile_);
  }
  predict::hybrid::Facts facts() const {
    const Target& target = targets_->front();
    return {*target.machine, *target.program, runs_->begin()->second->trace, *profile_, target.occupancy};
  }

private:
  PredictRequest request_;
  Planner planner_;
  Result<std::vector<Target>> targets_;
  Result<SampledRuns> runs_;
  Result<facts::MemoryProfile> profile_;
};

TEST_P(TraceCuts, GiveTheTimeOfTheWhole) {
  const predict::hybrid::Facts facts = this->facts();
  const predict::hybrid::SmLoad load = predict::hybrid::spread(facts);
  const auto parts = predict::hybrid::run_sm(facts, load);
  const auto whole =
      predict::hybrid::run_sm(facts, load, {}, {1e12, 1e12, 1e12}); // as many waves as are ever simulated
  ASSERT_TRUE(parts && whole);
  EXPECT_NEAR(parts->cycles / whole->cycles, 1, 0.05);
  const auto instructions = [](const predict::hybrid::SmRun& run) {
    return run.outcome.instructions / run.simulated_share;
  };
  EXPECT_NEAR(instructions(*parts) / instructions(*whole), 1, 0.02);
  EXPECT_NEAR(parts->resident_warps / whole->resident_warps, 1, 0.05);
}

/// Where the whole is more than 50 times beyond the parts of the budget.
class LongTraceCuts : public TraceCuts {};

TEST_P(LongTraceCuts, AreLongerPartsNotTheWhole) {
  const predict::hybrid::Facts facts = this->facts();
  const predict::hybrid::SmLoad load = predict::hybrid::spread(facts);
  constexpr double all_waves = 1e12; // none is too long to be simulated whole
  const auto parts = predict::hybrid::run_sm(facts, load, {}, {all_waves, 2e3, 4e3});
  const auto whole = predict::hybrid::run_sm(facts, load, {}, {all_waves, 1e12, 1e12});
  ASSERT_TRUE(parts && whole);
  EXPECT_NE(parts->cycles, whole->cycles); // the parts were taken
  EXPECT_NEAR(parts->cycles / whole->cycles, 1, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Corpus, LongTraceCuts,
                         testing::Values("histogram", "gemm", "particle_find_index", "gramschmidt_update",
                                         "nbody", "syr2k_tiled"));

INSTANTIATE_TEST_SUITE_P(Corpus, TraceCuts,
                         testing::Values("matrix_multiply_naive", "matrix_multiply_tiled", "histogram",
                                         "gemm", "kmeans_assign", "pathfinder", "stencil_3d",
                                         "particle_find_index", "divergent_paths", "gramschmidt_update",
                                         "syr2k_tiled", "correlation"));

} // namespace
} // namespace forewarp::engine
