// Laws of the one interface: a walk over the registry, over corpus kernels and GPUs of each kind.
#include "engine/published/models.h"
#include "engine/session.h"
#include "launch/parse.h"
#include "predict/predictor.h"
#include "test_folders.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

namespace forewarp::predict {
namespace {

engine::PredictRequest request_for(const std::string& kernel, const std::vector<std::string>& gpus) {
  const auto file =
      launch::read_launch_file((test_folders::root / "corpus" / kernel / "check.toml").string());
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  engine::PredictRequest request;
  request.launch = file->launch;
  request.compile.path = file->source;
  request.compile.standard = file->standard;
  request.compile.defines = file->defines;
  request.compile.extra_options = file->options;
  request.kernel = file->kernel;
  const auto catalogue = gpu::Catalogue::open(test_folders::root / "data/gpus");
  for (const std::string& gpu : gpus)
    request.gpus.push_back(*catalogue->find(gpu));
  return request;
}

TEST(Registry, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const Predictor& predictor : predictors()) {
    EXPECT_TRUE(names.insert(predictor.name).second) << predictor.name;
    const auto found = find_predictor(predictor.name);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, &predictor);
  }
  EXPECT_TRUE(names.contains(default_predictor));
  EXPECT_TRUE(names.contains(reference_predictor));
  const auto wrong = find_predictor("hybird");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().hint.find("hybrid"), std::string::npos);
}

TEST(Registry, EveryRowSaysWhatItIsFromAndGives) {
  for (const Predictor& predictor : predictors()) {
    EXPECT_FALSE(predictor.source.empty()) << predictor.name;
    EXPECT_TRUE(predictor.gives.equations || predictor.gives.prediction) << predictor.name;
    const Needs& needs = predictor.needs;
    EXPECT_TRUE(needs.model_facts || needs.independent_facts || needs.trace) << predictor.name;
    EXPECT_EQ(predictor.rung == Rung::traced, needs.trace) << predictor.name;
  }
}

TEST(Registry, APredictorWithoutItsFactsIsRefusedByName) {
  const gpu::Machine machine;
  for (const Predictor& predictor : predictors()) {
    const auto answered = answer(predictor, {.machine = machine});
    ASSERT_FALSE(answered) << predictor.name;
    EXPECT_EQ(answered.error().code, ErrorCode::bad_input);
    EXPECT_NE(answered.error().message.find("'" + predictor.name + "'"), std::string::npos);
    EXPECT_FALSE(answered.error().hint.empty()) << predictor.name;
  }
}

class OnKernels : public testing::TestWithParam<const char*> {};
const std::vector<std::string> gpus = {"k620", "v100", "h200", "mi210"};

TEST_P(OnKernels, WhoeverGivesAPredictionGivesAWholeOne) {
  engine::PredictRequest request = request_for(GetParam(), gpus);
  engine::Session session;
  for (const std::string& name : predictor_names(gives_prediction)) {
    request.model = name;
    const auto predictions = session.predict(request);
    ASSERT_TRUE(predictions) << name << ": " << to_string(predictions.error());
    for (const facts::Prediction& p : *predictions) {
      EXPECT_EQ(p.model, name);
      EXPECT_TRUE(std::isfinite(p.time_ms) && p.time_ms > 0) << name << " on " << p.gpu;
      EXPECT_LE(p.interval_ms[0], p.time_ms) << name;
      EXPECT_GE(p.interval_ms[1], p.time_ms) << name;
      double causes = 0;
      for (const facts::CauseShare& cause : p.causes)
        causes += cause.share;
      EXPECT_NEAR(causes, 1, 1e-9) << name;
      for (const facts::UnitMix& unit : p.units) // declared bounds
        EXPECT_LE(unit.bound_ms, p.time_ms * (1 + 1e-9)) << name << ": " << unit.unit << " on " << p.gpu;
    }
  }
}

TEST_P(OnKernels, WhoeverHasItsFactsAnswersOrSaysWhyNot) {
  const auto inputs = engine::model_inputs(request_for(GetParam(), gpus));
  ASSERT_TRUE(inputs) << inputs.error().message;
  for (const engine::ModelInput& input : *inputs) {
    const auto table = engine::evaluate_models(input, {});
    ASSERT_TRUE(table) << table.error().message;
    for (const engine::ModelRow& row : table->rows) {
      ASSERT_EQ(row.prediction.has_value(), row.refusal.empty()) << row.name;
      if (row.prediction)
        EXPECT_TRUE(std::isfinite(row.prediction->time_ms) && row.prediction->time_ms > 0)
            << row.name << " on " << input.machine.name;
      else
        EXPECT_NE(row.refusal.find(row.name), std::string::npos) << row.refusal;
    }
  }
}

/// Roofline is P's bound of everything: no group ends before the subsystems have done its work. The simulator
/// starts and ends with less than full SMs and sees the graphs of some warps: 2 % are left to that.
TEST_P(OnKernels, RooflineIsNeverAboveTheSimulator) {
  const auto inputs = engine::model_inputs(request_for(GetParam(), gpus));
  ASSERT_TRUE(inputs) << inputs.error().message;
  for (const engine::ModelInput& input : *inputs) {
    const auto table = engine::evaluate_models(input, {{"roofline", "pipeline"}});
    ASSERT_TRUE(table) << table.error().message;
    ASSERT_EQ(table->rows.size(), 2U);
    EXPECT_GE(table->rows[0].prediction->warps_per_cycle, 0.98 * table->rows[1].prediction->warps_per_cycle)
        << input.machine.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, OnKernels,
                         testing::Values("vector_add", "gemm_tiled", "stencil_2d", "reduction", "nbody",
                                         "spmv_csr_vector", "histogram", "transpose_naive"),
                         [](const auto& kernel) { return std::string(kernel.param); });

} // namespace
} // namespace forewarp::predict
