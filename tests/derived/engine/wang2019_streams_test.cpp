// Instructions a warp as Wang et al. (DATE 2019, Table IV) count them, on corpus kernels whose source is that
// of Rodinia's kernels there. Counted by hand from the source as Clang's -O2 leaves it; docs/results/wfg.md
// has Rodinia's own sources beside the printed lengths.
#include "engine/predict.h"
#include "launch/parse.h"
#include "test_folders.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace forewarp::engine {
namespace {

/// Whole groups: every work-item is inside the guard, so that every warp takes the same way.
double instructions(const std::string& kernel, const std::string& size) {
  const auto file = launch::read_launch_file(
      (test_folders::root / "corpus" / kernel / "default.toml").string(), {{size, 768.0}});
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.kernel = file->kernel;
  request.compile.defines = file->defines;
  request.model = "wang2019";
  request.static_trace = true;
  request.gpus.push_back(*gpu::Catalogue::open(test_folders::root / "data/gpus")->find("k620"));
  const auto predictions = predict(request);
  EXPECT_TRUE(predictions) << (predictions ? "" : predictions.error().message);
  return predictions ? predictions->front().instructions_per_warp : 0;
}

// The guard's comparison and the store.
TEST(Wang2019Streams, Memset) {
  EXPECT_EQ(instructions("cfd_fill", "count"), 2);
}

// Guard, load, comparison with zero, four stores; what rests on data is always hit.
TEST(Wang2019Streams, Bfs2) {
  EXPECT_EQ(instructions("bfs_commit", "nodes"), 7);
}

// Guard, a load of each coordinate, two subtractions, product, multiply-add, root, store.
TEST(Wang2019Streams, NearestNeighbor) {
  EXPECT_EQ(instructions("nearest_neighbour", "places"), 9);
}

// Guard; five loads and five stores of the loop, which is unrolled; elements times 2, 3, 4 and four
// additions.
TEST(Wang2019Streams, InitializeVariables) {
  EXPECT_EQ(instructions("cfd_initialize", "elements"), 18);
}

// Guard; load, 3 - stage, quotient; five times two loads, a multiply-add and a store; three products and four
// additions of the index.
TEST(Wang2019Streams, TimeStep) {
  EXPECT_EQ(instructions("cfd_time_step", "elements"), 31);
}

// Guard; 2 elements and two additions; six loads; three quotients; product and two multiply-adds; product,
// multiply-add, product; product, quotient, root; two roots, addition, product, quotient,
// store.
TEST(Wang2019Streams, ComputeStepFactor) {
  EXPECT_EQ(instructions("cfd_step_factor", "elements"), 28);
}

} // namespace
} // namespace forewarp::engine
