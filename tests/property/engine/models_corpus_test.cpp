// Every corpus kernel gives facts that pass their own checks and finite, positive answers of every model.
#include "engine/published/models.h"
#include "launch/parse.h"
#include "predict/facts_file/facts_io.h"
#include "test_folders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace forewarp::engine {
namespace {

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test_folders::root / "corpus"))
    if (std::filesystem::exists(entry.path() / "check.toml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

PredictRequest request_for(const std::string& kernel) {
  const auto file =
      launch::read_launch_file((test_folders::root / "corpus" / kernel / "check.toml").string());
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.kernel = file->kernel;
  request.compile.standard = file->standard;
  request.compile.defines = file->defines;
  request.compile.extra_options = file->options;
  const auto catalogue = gpu::Catalogue::open(test_folders::root / "data/gpus");
  for (const char* name : {"k620", "h200"})
    request.gpus.push_back(*catalogue->find(name));
  return request;
}

class Corpus : public ::testing::TestWithParam<std::string> {};

TEST_P(Corpus, EveryModelAnswersWithAFiniteTime) {
  const auto inputs = model_inputs(request_for(GetParam()));
  ASSERT_TRUE(inputs) << inputs.error().message;
  for (const ModelInput& input : *inputs) {
    const auto answer = evaluate_models(input, {});
    ASSERT_TRUE(answer) << answer.error().message;
    double roof = 0, simulator = 0;
    for (const ModelRow& row : answer->rows) {
      if (!row.prediction)
        continue; // a kernel without memory instructions
      EXPECT_TRUE(std::isfinite(row.prediction->time_ms) && row.prediction->time_ms > 0)
          << row.name << " on " << input.machine.name;
      if (row.name == "roofline")
        roof = row.prediction->warps_per_cycle;
      if (row.name == "pipeline")
        simulator = row.prediction->warps_per_cycle;
    }
    EXPECT_GT(roof, 0);
    EXPECT_GT(simulator, 0);
  }
}

/// Instructions of the work flow graph, as often as the tree says: the weights of a branch not divided.
double flow_count(const std::vector<facts::FlowNode>& nodes) {
  double count = 0;
  for (const facts::FlowNode& node : nodes) {
    if (node.paths.empty())
      count += node.count;
    for (const facts::FlowNode::Path& path : node.paths)
      count += flow_count(path.nodes) * (node.kind == facts::FlowNode::Kind::loop ? node.trips : path.weight);
  }
  return count;
}

TEST_P(Corpus, MixGraphAndFlowAgreeOnTheNumberOfInstructions) {
  const auto inputs = model_inputs(request_for(GetParam()));
  ASSERT_TRUE(inputs) << inputs.error().message;
  for (const ModelInput& input : *inputs) {
    double mix = 0;
    for (const facts::ModelClass& row : input.facts.mix)
      mix += row.count_per_warp;
    EXPECT_NEAR(flow_count(input.facts.flow) / mix, 1, 1e-6) << input.machine.name;
    EXPECT_GT(input.facts.graphs.front().instructions.size(), 0U);
  }
}

TEST_P(Corpus, FactsWrittenAndReadBackGiveTheSameTable) {
  const PredictRequest request = request_for(GetParam());
  const auto inputs = model_inputs(request);
  ASSERT_TRUE(inputs) << inputs.error().message;
  for (std::size_t g = 0; g < inputs->size(); ++g) {
    const auto facts = models::facts_from_json(models::facts_to_json((*inputs)[g].facts), "round trip");
    ASSERT_TRUE(facts) << facts.error().message << " at " << facts.error().where;
    const auto again = model_input(*facts, request.gpus[g], request);
    ASSERT_TRUE(again);
    const auto before = evaluate_models((*inputs)[g], {}), after = evaluate_models(*again, {});
    ASSERT_TRUE(before && after);
    for (std::size_t i = 0; i < after->rows.size(); ++i) {
      EXPECT_EQ(before->rows[i].name, after->rows[i].name);
      if (after->rows[i].prediction) {
        EXPECT_EQ(before->rows[i].prediction->cycles, after->rows[i].prediction->cycles)
            << after->rows[i].name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, ::testing::ValuesIn(kernels()),
                         [](const auto& kernel) { return kernel.param; });

} // namespace
} // namespace forewarp::engine
