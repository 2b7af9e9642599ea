// Long traces simulated in two parts against the same traces simulated whole.
#include "engine/hybrid/sm_run.h"
#include "engine/stages.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"

#include <gtest/gtest.h>

namespace forewarp::engine {
namespace {

std::string source_path(const std::string& below) {
  return std::string(FOREWARP_SOURCE_DIR) + '/' + below;
}

class TraceCuts : public testing::TestWithParam<const char*> {};

TEST_P(TraceCuts, GiveTheTimeOfTheWhole) {
  const auto file =
      launch::read_launch_file(source_path(std::string("corpus/") + GetParam() + "/default.toml"));
  ASSERT_TRUE(file);
  PredictRequest request;
  request.compile.path = file->source;
  request.compile.defines = file->defines;
  request.kernel = file->kernel;
  request.launch = file->launch;
  request.gpus.push_back(*gpu::Catalogue::open(source_path("data/gpus"))->find("v100"));
  Planner planner;
  const auto targets = planner.plan(request);
  ASSERT_TRUE(targets);
  const auto traces = trace_all(request, *targets);
  ASSERT_TRUE(traces);
  const Target& target = targets->front();
  const facts::KernelTrace& trace = traces->begin()->second;
  const auto profile = profile_of(request, target, *target.machine, trace);
  ASSERT_TRUE(profile);
  const hybrid::Facts facts{*target.machine, *target.program, trace, *profile, target.occupancy};
  const hybrid::SmLoad load = hybrid::spread(facts);
  const auto parts = hybrid::run_sm(facts, load);
  const auto whole =
      hybrid::run_sm(facts, load, {}, {1e12, 1e12, 1e12}); // as many waves as are ever simulated
  ASSERT_TRUE(parts && whole);
  EXPECT_NEAR(parts->cycles / whole->cycles, 1, 0.05);
  const auto instructions = [](const hybrid::SmRun& run) {
    return run.outcome.instructions / run.simulated_share;
  };
  EXPECT_NEAR(instructions(*parts) / instructions(*whole), 1, 0.02);
  EXPECT_NEAR(parts->resident_warps / whole->resident_warps, 1, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Corpus, TraceCuts,
                         testing::Values("matrix_multiply_naive", "matrix_multiply_tiled", "histogram",
                                         "gemm", "kmeans_assign", "pathfinder", "stencil_3d",
                                         "particle_find_index", "divergent_paths", "gramschmidt_update",
                                         "syr2k_tiled", "correlation"));

} // namespace
} // namespace forewarp::engine
