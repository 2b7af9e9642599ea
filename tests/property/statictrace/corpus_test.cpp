// Static and executed traces visit the same blocks as often in every warp of every corpus kernel, but for
// what rests on data, which the static trace's notes name by line.
#include "frontend/compile.h"
#include "launch/parse.h"
#include "simt/prepared.h"
#include "statictrace/build.h"
#include "test_folders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace forewarp::statictrace {
namespace {

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test_folders::root / "corpus"))
    if (std::filesystem::exists(entry.path() / "check.toml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

using Visits = std::map<std::uint32_t, std::uint64_t>;

Visits visits_of(const facts::WarpTrace& warp) {
  Visits visits;
  for (const facts::BlockStep& step : warp.steps)
    ++visits[step.block];
  return visits;
}

bool rests_on_data(const facts::KernelTrace& trace) {
  return std::any_of(trace.notes.begin(), trace.notes.end(), [](const facts::Note& note) {
    return note.text.find("rests on data") != std::string::npos ||
           note.text.find("follows from nothing") != std::string::npos;
  });
}

bool every_note_names_a_line(const facts::KernelTrace& trace) {
  return std::all_of(trace.notes.begin(), trace.notes.end(), [](const facts::Note& note) {
    return note.location.line != 0 || note.text.find("at line") == std::string::npos;
  });
}

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, VisitsTheBlocksThatARunVisits) {
  const auto file =
      launch::read_launch_file((test_folders::root / "corpus" / GetParam() / "check.toml").string());
  ASSERT_TRUE(file) << file.error().message;
  frontend::CompileRequest compile;
  compile.path = file->source;
  compile.standard = file->standard;
  compile.defines = file->defines;
  compile.extra_options = file->options;
  compile.target = "sm_75";
  const auto module = frontend::compile(compile);
  ASSERT_TRUE(module) << module.error().message;
  const auto kernel = std::find_if(module->kernels.begin(), module->kernels.end(), [&](const auto& k) {
    return file->kernel.empty() || k.name == file->kernel;
  });
  ASSERT_NE(kernel, module->kernels.end());
  const auto prepared = simt::PreparedKernel::prepare(*module, *kernel);
  ASSERT_TRUE(prepared) << prepared.error().message;
  simt::RunOptions options;
  options.sample_groups = 6;
  const auto run = prepared->run(file->launch, options);
  ASSERT_TRUE(run) << run.error().message;
  const auto analysis = Analysis::make(*module, *kernel, *prepared);
  ASSERT_TRUE(analysis) << analysis.error().message;
  const auto analysed = (*analysis)->trace(file->launch, options);
  ASSERT_TRUE(analysed) << analysed.error().message;
  ASSERT_EQ(run->trace.groups.size(), analysed->groups.size());
  std::uint64_t differing = 0;
  for (std::size_t g = 0; g < run->trace.groups.size(); ++g) {
    const facts::GroupTrace &one = run->trace.groups[g], &other = analysed->groups[g];
    ASSERT_EQ(one.group, other.group);
    ASSERT_EQ(one.warps.size(), other.warps.size());
    for (std::size_t w = 0; w < one.warps.size(); ++w)
      differing += visits_of(one.warps[w]) != visits_of(other.warps[w]) ? 1 : 0;
  }
  if (rests_on_data(*analysed))
    EXPECT_TRUE(every_note_names_a_line(*analysed));
  else
    EXPECT_EQ(differing, 0U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, ::testing::ValuesIn(kernels()));

} // namespace
} // namespace forewarp::statictrace
