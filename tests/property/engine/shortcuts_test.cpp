// Each shortcut against the long way, on corpus kernels on V100: docs/reference/shortcuts.md.
#include "engine/session.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace forewarp::engine {
namespace {

using facts::Shortcut;

/// Every third of the corpus, but for four whose long way takes more than 4 s.
const std::vector<std::string> kernels = {"atax",
                                          "bfs_commit",
                                          "bicg",
                                          "btree_find_range",
                                          "cfd_initialize",
                                          "chain_product",
                                          "convolution_2d",
                                          "correlation",
                                          "fdtd_electric",
                                          "fft_radix16_shared",
                                          "fft_radix4_global",
                                          "gaussian_multipliers",
                                          "gesummv",
                                          "histogram",
                                          "insertion_sort",
                                          "lane_detect",
                                          "linear_recurrence",
                                          "lud_internal",
                                          "matrix_multiply_strip",
                                          "nbody",
                                          "needleman_wunsch_tile",
                                          "particle_normalize",
                                          "scan",
                                          "scan_tree_packed_padded",
                                          "spmv_csr_aligned",
                                          "spmv_csr_vector",
                                          "stencil_3d",
                                          "transpose_tiled"};

struct Case {
  Shortcut shortcut;
  double median, largest; ///< relative changes of the time that are allowed; largest 0: the same to the bit
  bool acts = true;       ///< it changes the time of some of the kernels
  std::uint64_t max_trace_bytes = 50'000'000;
};

Result<PredictRequest> request_of(const std::string& kernel, const Case& of) {
  const std::string root = FOREWARP_SOURCE_DIR;
  const auto file = launch::read_launch_file(root + "/corpus/" + kernel + "/default.toml");
  FOREWARP_TRY(file);
  const auto catalogue = gpu::Catalogue::open(root + "/data/gpus");
  FOREWARP_TRY(catalogue);
  PredictRequest request;
  request.compile.path = file->source;
  request.compile.defines = file->defines;
  request.kernel = file->kernel;
  request.launch = file->launch;
  request.gpus.push_back(*catalogue->find("v100"));
  request.run.max_trace_bytes = of.max_trace_bytes;
  return request;
}

double change(Session& session, PredictRequest request, Shortcut shortcut) {
  const auto usual = session.predict(request);
  request.run.shortcuts.leave_out(shortcut);
  const auto exact = session.predict(request);
  EXPECT_TRUE(usual && exact);
  return usual && exact ? std::abs(exact->front().time_ms / usual->front().time_ms - 1) : INFINITY;
}

class ShortcutsOnCorpus : public testing::TestWithParam<Case> {};

TEST_P(ShortcutsOnCorpus, TheLongWayGivesTheTime) {
  const Case& of = GetParam();
  std::vector<double> changes;
  for (const std::string& kernel : kernels) {
    auto request = request_of(kernel, of);
    ASSERT_TRUE(request) << kernel;
    Session session;
    changes.push_back(change(session, *request, of.shortcut));
    EXPECT_LE(changes.back(), of.largest) << kernel;
  }
  std::ranges::sort(changes);
  EXPECT_LE(changes[changes.size() / 2], of.median);
  EXPECT_EQ(changes.back() > 0, of.acts);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ShortcutsOnCorpus,
    testing::Values(
        // the same to the bit
        Case{Shortcut::loop_replay, 0, 0, false}, Case{Shortcut::asked_values, 0, 0, false},
        // no launch of this size has a wave that is long enough: tests/unit/memory/steady_loop_test.cpp
        Case{Shortcut::steady_loops, 0, 0, false}, Case{Shortcut::line_sampling, 0.001, 0.03},
        Case{Shortcut::l2_waves, 0.001, 0.05}, Case{Shortcut::like_groups, 0.001, 0.03},
        Case{Shortcut::sm_waves, 0.003, 0.07}, Case{Shortcut::trace_cuts, 0.001, 0.03},
        Case{Shortcut::rounded_demands, 0.002, 0.06},
        // a fiftieth of the usual budget
        Case{Shortcut::trace_budget, 0.01, 0.35, true, 1'000'000}),
    [](const auto& test) {
      const auto at = static_cast<std::size_t>(test.param.shortcut);
      std::string name(facts::shortcut_table()[at].name);
      std::ranges::replace(name, '-', '_');
      return name;
    });

/// Kernels whose whole grid is run in half a second. The largest distance is collatz's 21 %: data decide
/// which group is the longest, and the sample misses it; then cfd_flux (7 %, neighbours by a table).
constexpr const char* cheap_kernels[] = {"atax",
                                         "backprop_adjust_weights",
                                         "backprop_layer_forward",
                                         "bfs_commit",
                                         "bicg",
                                         "cfd_fill",
                                         "cfd_flux",
                                         "cfd_initialize",
                                         "cfd_step_factor",
                                         "cfd_time_step",
                                         "collatz",
                                         "convolution_3d",
                                         "fdtd_electric",
                                         "fft_radix16_shared",
                                         "fft_radix4_global",
                                         "gaussian_multipliers",
                                         "lane_detect",
                                         "linear_recurrence",
                                         "lud_internal",
                                         "needleman_wunsch_tile",
                                         "particle_normalize",
                                         "correlation"};

TEST(SampledGroups, StandForTheGrid) {
  std::vector<double> changes;
  for (const char* kernel : cheap_kernels) {
    const auto request = request_of(kernel, {Shortcut::sampled_groups, 0, 0});
    ASSERT_TRUE(request) << kernel;
    Session session;
    changes.push_back(change(session, *request, Shortcut::sampled_groups));
  }
  std::ranges::sort(changes);
  EXPECT_LE(changes[changes.size() / 2], 0.01);
  EXPECT_LE(changes[changes.size() - 2], 0.08);
  EXPECT_LE(changes.back(), 0.25);
  EXPECT_GT(changes.back(), 0);
}

} // namespace
} // namespace forewarp::engine
