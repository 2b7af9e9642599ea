// The lines of docs/guide/explore.md, "From C++", run.
#include "explore/summary.h"
#include "explore/sweep.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace forewarp {
namespace {

engine::PredictRequest tiled_multiplication() {
  const std::string folder = FOREWARP_SOURCE_DIR "/corpus/matrix_multiply_tiled";
  const auto file = launch::read_launch_file(folder + "/default.toml");
  EXPECT_TRUE(file);
  engine::PredictRequest request;
  request.compile.path = folder + "/kernel.cl";
  request.kernel = file->kernel;
  request.launch = file->launch;
  request.gpus.push_back(*gpu::Catalogue::open(FOREWARP_SOURCE_DIR "/data/gpus")->find("k620"));
  return request;
}

TEST(CppInterface, TheDocumentedLinesSweepASpace) {
  const engine::PredictRequest request = tiled_multiplication();
  std::size_t rows = 0;

  explore::Setup setup; // base: an engine::PredictRequest with GPUs and launch
  setup.base = request;
  setup.space.parameters = {"TILE=8,16,32", "local.x=TILE", "local.y=TILE"};
  auto ready = explore::complete(setup);   // which names are arguments
  auto store = explore::sweep(*ready, {}); // every configuration, in threads
  (void)(*store)->for_each([&](const explore::Row& row) -> Result<void> {
    rows += row.outcomes.front().valid; // row.values: "8", "8", "8"
    return {};
  });

  EXPECT_EQ(rows, 3U);
  const auto space = explore::Space::make(ready->space);
  ASSERT_TRUE(space);
  explore::SummaryOptions options;
  options.objective = *explore::find_objective("time");
  const auto summary = explore::summarize(**store, *space, options);
  ASSERT_TRUE(summary) << to_string(summary.error());
  EXPECT_EQ(summary->gpus.front().best.size(), 3U);
}

std::string without_blanks(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;)
    out += word;
  return out;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CppInterface, TheDocumentHasTheseLines) {
  const std::string page = text_of(FOREWARP_SOURCE_DIR "/docs/guide/explore.md");
  const std::size_t begin = page.find("```cpp\n") + 7, end = page.find("```", begin);
  ASSERT_LT(begin, end);
  const std::string here =
      without_blanks(text_of(FOREWARP_SOURCE_DIR "/tests/unit/explore/cpp_interface_test.cpp"));
  EXPECT_NE(here.find(without_blanks(page.substr(begin, end - begin))), std::string::npos);
}

} // namespace
} // namespace forewarp
