// The engine's door of the models: facts written and read back give the same answers; synthetic kernels meet
// their closed forms; refusals.
#include "engine/published/models.h"
#include "predict/facts_file/facts_io.h"

#include <gtest/gtest.h>

#include <cmath>

namespace forewarp::engine {
namespace {

const PredictRequest nothing_asked;

gpu::GpuChoice choice_of(const std::string& name) {
  static const auto catalogue = gpu::Catalogue::open(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  auto choice = catalogue->find(name);
  EXPECT_TRUE(choice) << name;
  return *choice;
}

ModelInput synthetic(const std::string& kernel, const std::string& gpu = "rtx 2070") {
  auto input = synthetic_input(kernel, choice_of(gpu), nothing_asked);
  EXPECT_TRUE(input) << (input ? "" : input.error().message);
  return *input;
}

const ModelRow& row(const ModelsAnswer& answer, const std::string& name) {
  for (const ModelRow& candidate : answer.rows)
    if (candidate.name == name)
      return candidate;
  ADD_FAILURE() << "no row " << name;
  return answer.rows.front();
}

TEST(ModelsDoor, FactsWrittenAndReadBackGiveTheSameTable) {
  for (const char* kernel : {"instruction-mix:4", "iterative-barrier:8", "memory-parallelism:4"}) {
    const ModelInput before = synthetic(kernel);
    const auto facts = models::facts_from_json(models::facts_to_json(before.facts), "round trip");
    ASSERT_TRUE(facts) << facts.error().message;
    const auto after = model_input(*facts, choice_of("rtx 2070"), nothing_asked);
    ASSERT_TRUE(after);
    const auto first = evaluate_models(before, {}), second = evaluate_models(*after, {});
    ASSERT_TRUE(first && second);
    ASSERT_EQ(first->rows.size(), second->rows.size());
    for (std::size_t i = 0; i < first->rows.size(); ++i) {
      EXPECT_EQ(first->rows[i].refusal, second->rows[i].refusal);
      if (first->rows[i].prediction) {
        EXPECT_EQ(first->rows[i].prediction->cycles, second->rows[i].prediction->cycles)
            << kernel << " " << first->rows[i].name;
      }
    }
  }
}

// P Eq. 44 with beta 1 on one subsystem's worth of each type: the rate of both types together is 2 / lambda_2
// where type 2 is the slower; a warp has 256 of each, so one SM passes 1 / (256 lambda_2) warps a cycle.
TEST(ModelsDoor, InstructionMixMeetsItsClosedForm) {
  const ModelInput input = synthetic("instruction-mix:1:two");
  const auto answer = evaluate_models(input, {});
  ASSERT_TRUE(answer);
  const facts::ModelClass& slow = input.facts.mix[1];
  const double closed = 1 / (slow.count_per_warp * slow.lambda_cycles);
  EXPECT_NEAR(row(*answer, "pipeline").prediction->warps_per_cycle, closed, 0.02 * closed);
  EXPECT_NEAR(row(*answer, "roofline").prediction->warps_per_cycle, closed, 1e-9 * closed);
}

TEST(ModelsDoor, ARefusalNamesTheModelAndStopsWhenItWasAskedFor) {
  const ModelInput input = synthetic("instruction-mix:2"); // no memory instruction
  const auto all = evaluate_models(input, {});
  ASSERT_TRUE(all);
  EXPECT_NE(row(*all, "mwp_cwp").refusal.find("mwp_cwp"), std::string::npos);
  const auto one = evaluate_models(input, {{"mwp_cwp"}});
  ASSERT_FALSE(one);
  EXPECT_NE(one.error().hint.find("--facts"), std::string::npos);
}

TEST(ModelsDoor, UnknownNamesAreRefusedWithTheNearest) {
  const ModelInput input = synthetic("memory-parallelism");
  const auto model = evaluate_models(input, {{"volkow"}});
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().hint.find("volkov"), std::string::npos);
  EXPECT_FALSE(evaluate_models(input, {{}, "fastest_first"}));
  EXPECT_FALSE(synthetic_input("instruction-mixture:4", choice_of("k620"), nothing_asked));
  EXPECT_FALSE(synthetic_input("instruction-mix:0", choice_of("k620"), nothing_asked));
  EXPECT_FALSE(execution_profile(input, "pdf", "round_robin"));
}

TEST(ModelsDoor, TheSweepRisesToTheRoofline) {
  const ModelInput input = synthetic("memory-parallelism:2");
  const auto sweep = sweep_occupancy(input, {{"roofline", "volkov", "pipeline"}});
  ASSERT_TRUE(sweep);
  ASSERT_EQ(sweep->series.size(), 3U);
  for (std::size_t i = 0; i < sweep->concurrent_warps.size(); ++i) {
    EXPECT_LE(sweep->series[1].warps_per_cycle[i], sweep->series[0].warps_per_cycle[i] * (1 + 1e-9));
    EXPECT_LE(sweep->series[2].warps_per_cycle[i], sweep->series[0].warps_per_cycle[i] * (1 + 1e-9));
  }
  EXPECT_EQ(sweep->concurrent_warps.size(), input.facts.concurrent_groups);
}

// All analytical models together under 1 ms once the facts exist: the fastest of several tries, as the
// machine may be busy.
TEST(ModelsDoor, AllModelsTakeLessThanAMillisecond) {
  const ModelInput input = synthetic("instruction-mix:4");
  double fastest = 1;
  for (int i = 0; i < 20; ++i)
    fastest = std::min(fastest, evaluate_models(input, {})->models_seconds);
  EXPECT_LT(fastest, 1e-3);
}

} // namespace
} // namespace forewarp::engine
