// DRAM traffic from a share of the lines of L2 against that from all of them, on corpus kernels.
#include "engine/plan.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "memory/profile.h"
#include "simt/prepared.h"

#include <gtest/gtest.h>

#include <cmath>

namespace forewarp::memory {
namespace {

struct Traffic {
  double dram_bytes = 0, l2_bytes = 0;
};

Traffic traffic_of(const facts::MemoryProfile& profile) {
  return {profile.dram_bytes_read + profile.dram_bytes_written,
          profile.l2_bytes_read + profile.l2_bytes_written};
}

class LineSamplingOnCorpus : public testing::TestWithParam<const char*> {};

TEST_P(LineSamplingOnCorpus, MovesTheBytesThatAllLinesMove) {
  const std::string folder = std::string(FOREWARP_SOURCE_DIR) + "/corpus/" + GetParam();
  const auto file = launch::read_launch_file(folder + "/default.toml");
  ASSERT_TRUE(file);
  for (const char* gpu : {"v100", "k620"}) {
    engine::PredictRequest request;
    request.compile.path = folder + "/kernel.cl";
    request.compile.defines = file->defines;
    request.kernel = file->kernel;
    request.launch = file->launch;
    const auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
    ASSERT_TRUE(catalogue);
    request.gpus.push_back(*catalogue->find(gpu));
    engine::Planner planner;
    const auto targets = planner.plan(request);
    ASSERT_TRUE(targets);
    const engine::Target& target = targets->front();
    const auto run = target.prepared->run(file->launch, {});
    ASSERT_TRUE(run);
    ProfileOptions options;
    options.active_groups_per_sm = target.occupancy.active_groups_per_sm;
    const auto share = profile(run->trace, target.program->sites, *target.machine, options);
    options.max_l2_accesses = UINT64_MAX;
    const auto whole = profile(run->trace, target.program->sites, *target.machine, options);
    ASSERT_TRUE(share && whole);
    const Traffic a = traffic_of(*share), b = traffic_of(*whole);
    EXPECT_DOUBLE_EQ(a.l2_bytes, b.l2_bytes) << gpu; // what L1 lets through is not sampled
    // Kernels that fit into L2 move few bytes: their error counts against what reaches L2.
    EXPECT_NEAR(a.dram_bytes, b.dram_bytes, 0.02 * b.dram_bytes + 0.002 * b.l2_bytes) << gpu;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, LineSamplingOnCorpus,
                         testing::Values("convolution_2d", "gemm_tiled", "hotspot", "kmeans_assign",
                                         "pathfinder", "reduction", "spmv_csr_vector", "stencil_3d",
                                         "transpose_naive", "vector_add"),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace forewarp::memory
