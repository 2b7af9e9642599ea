// Traces in which iterations were written without being run, and values that nobody asks for were not
// computed, against traces in which everything was run.
#include "engine/compile_cache.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "simt/prepared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace forewarp::simt {
namespace {

std::string source_path(const std::string& below) {
  return std::string(FOREWARP_SOURCE_DIR) + '/' + below;
}

std::vector<std::string> corpus() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("corpus")))
    if (std::filesystem::exists(entry.path() / "kernel.toml"))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  std::vector<std::string> some; // every third, so that the tests stay short
  for (std::size_t k = 0; k < names.size(); k += 3)
    some.push_back(names[k]);
  return some;
}

void expect_same_event(const facts::WarpTrace& a, const facts::WarpTrace& b, std::size_t e, unsigned lanes) {
  const facts::MemoryEvent &x = a.events[e], &y = b.events[e];
  ASSERT_EQ(x.site, y.site) << e;
  ASSERT_EQ(x.pattern, y.pattern) << e;
  ASSERT_EQ(x.active, y.active) << e;
  ASSERT_EQ(x.base, y.base) << e;
  ASSERT_TRUE(x.space == y.space && x.stride == y.stride && x.row_stride == y.row_stride) << e;
  if (x.pattern != facts::MemoryEvent::Pattern::explicit_offsets)
    return;
  for (unsigned l = 0; l < lanes; ++l)
    ASSERT_EQ(a.offsets[x.first_offset + l], b.offsets[y.first_offset + l]) << e;
}

void expect_same_warp(const facts::WarpTrace& a, const facts::WarpTrace& b, unsigned lanes) {
  ASSERT_EQ(a.ir_instructions, b.ir_instructions);
  ASSERT_EQ(a.recorded_share, b.recorded_share);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    ASSERT_EQ(a.steps[s].block, b.steps[s].block) << s;
    ASSERT_EQ(a.steps[s].previous_block, b.steps[s].previous_block) << s;
    ASSERT_EQ(a.steps[s].active, b.steps[s].active) << s;
    ASSERT_EQ(a.steps[s].first_event, b.steps[s].first_event) << s;
  }
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t e = 0; e < a.events.size(); ++e)
    expect_same_event(a, b, e, lanes);
}

class Replay : public testing::TestWithParam<std::string> {};

TEST_P(Replay, WritesTheTraceThatARunOfEveryIterationLeaves) {
  for (const char* gpu : {"k620"}) {
    const auto file = launch::read_launch_file(source_path("corpus/" + GetParam() + "/default.toml"));
    ASSERT_TRUE(file);
    engine::PredictRequest request;
    request.compile.path = source_path("corpus/" + GetParam() + "/kernel.cl");
    request.compile.defines = file->defines;
    request.kernel = file->kernel;
    const auto machine = gpu::resolve(gpu::Catalogue::open(source_path("data/gpus"))->find(gpu)->file, "");
    engine::CompileCache cache;
    const auto compiled = cache.get(request, *machine);
    ASSERT_TRUE(compiled);
    const auto prepared = PreparedKernel::prepare((*compiled)->module, *(*compiled)->kernel);
    ASSERT_TRUE(prepared);
    RunOptions options;
    options.sample_groups = 2; // the inner group and its neighbour, or a border
    const auto replayed = prepared->run(file->launch, options);
    options.replay_loops = options.asked_values_only = false;
    const auto run = prepared->run(file->launch, options);
    ASSERT_TRUE(replayed && run);
    ASSERT_EQ(replayed->trace.groups.size(), run->trace.groups.size());
    for (std::size_t g = 0; g < run->trace.groups.size(); ++g) {
      const facts::GroupTrace &a = replayed->trace.groups[g], &b = run->trace.groups[g];
      EXPECT_EQ(a.behaviour, b.behaviour);
      ASSERT_EQ(a.warps.size(), b.warps.size());
      for (std::size_t w = 0; w < a.warps.size(); ++w)
        expect_same_warp(a.warps[w], b.warps[w], run->trace.warp_width);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Replay, testing::ValuesIn(corpus()),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });

} // namespace
} // namespace forewarp::simt
