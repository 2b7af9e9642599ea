// Formulas of corpus kernels at random sizes: counts against the executed trace, times against the models.
#include "engine/published/models.h"
#include "engine/session.h"
#include "formula/check.h"
#include "formula/formula_source.h"
#include "launch/parse.h"
#include "predict/published/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace forewarp;

namespace {

struct Case {
  const char* kernel;
  const char* symbol;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.kernel;
}

class CorpusFormula : public ::testing::TestWithParam<Case> {
protected:
  static std::string launch_file() {
    return std::string(FOREWARP_SOURCE_DIR) + "/corpus/" + GetParam().kernel + "/default.toml";
  }
  static engine::PredictRequest request_at(const std::map<std::string, double>& values) {
    auto file = launch::read_launch_file(launch_file(), values);
    EXPECT_TRUE(file);
    engine::PredictRequest request;
    request.compile.path = file->source;
    request.compile.defines = file->defines;
    request.compile.extra_options = file->options;
    request.kernel = file->kernel;
    request.launch = file->launch;
    auto choice = gpu::Catalogue::load(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
    EXPECT_TRUE(choice);
    request.gpus = {*choice->find("rtx2070")};
    return request;
  }
};

TEST_P(CorpusFormula, CountsAreTheTracesAndTimesTheModels) {
  const auto texts = launch::read_launch_texts(launch_file());
  ASSERT_TRUE(texts);
  formula::FormulaRequest request{request_at({}), *texts, {}, {}};
  const auto symbol = formula::parse_symbol(GetParam().symbol, *texts, request.request.launch);
  ASSERT_TRUE(symbol) << to_string(symbol.error());
  request.symbols = {*symbol};
  request.request = request_at({{symbol->name, static_cast<double>(symbol->reference)}});
  const auto formulas = formula::make_formulas(request);
  ASSERT_TRUE(formulas) << to_string(formulas.error());
  const formula::Formula& formula = *formulas->front();
  const formula::Symbol* const open = &formula.symbols.front(); // steps of whole groups

  std::mt19937 random(7);
  for (int trial = 0; trial < 3; ++trial) {
    const std::int64_t steps = (open->high - open->low) / open->step + 1;
    const std::int64_t n =
        open->low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps)) * open->step;
    const formula::Point at = {{symbol->name, n}};
    ASSERT_TRUE(formula.check(at));
    const auto facts = formula.facts_at(at);
    ASSERT_TRUE(facts) << to_string(facts.error());

    engine::PredictRequest whole = request_at({{symbol->name, static_cast<double>(n)}});
    whole.run.whole_grid = true; // a sample's weights are estimates
    const auto executed = engine::model_inputs(whole);
    ASSERT_TRUE(executed) << to_string(executed.error());
    std::map<std::string, double> of_formula, of_trace;
    for (const facts::ModelClass& row : facts->mix)
      of_formula[row.name] += row.count_per_warp;
    for (const facts::ModelClass& row : executed->front().independent_facts->mix)
      of_trace[row.name] += row.count_per_warp;
    for (const auto& [name, count] : of_trace)
      EXPECT_NEAR(of_formula[name] / count, 1, 1e-9) << name << " at " << n;
    for (const auto& [name, count] : of_formula)
      EXPECT_TRUE(count == 0 || of_trace.contains(name)) << name << " at " << n;

    for (const formula::ModelForm& form : formula.models) {
      const auto model = models::find_model(form.model);
      ASSERT_TRUE(model);
      const auto prediction = model->predict(*facts, *formula.made_of->target.machine, {});
      ASSERT_TRUE(prediction) << to_string(prediction.error());
      EXPECT_NEAR(formula.time_ms(form, at) / prediction->time_ms, 1, 1e-9) << form.model << " at " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusFormula,
                         ::testing::Values(Case{"vector_add", "n=1000:16000"}, Case{"gemm", "n=33:160"},
                                           Case{"gemm_tiled", "n=33:160"}, Case{"reduction", "n=1000:50000"},
                                           Case{"scan_tree", "n=1024:60000"},
                                           Case{"transpose_tiled", "width=32:300"}, Case{"syr2k", "n=33:100"},
                                           Case{"nbody", "n=256:1024:+256"},
                                           Case{"stencil_2d", "width=40:300"},
                                           Case{"correlation", "columns=20:90"},
                                           Case{"histogram", "n=40:300000"}, Case{"hotspot", "size=5:100"},
                                           Case{"pathfinder", "columns=10:5000"}),
                         [](const auto& test) { return std::string(test.param.kernel); });

// What `forewarp formula --check` says at few points, one kernel a kind: tools/check_formula asks for all.
class CheckedFormula : public CorpusFormula {};

TEST_P(CheckedFormula, SaysHowFarItIsOff) {
  const auto texts = launch::read_launch_texts(launch_file());
  ASSERT_TRUE(texts);
  formula::FormulaRequest request{request_at({}), *texts, {}, {}};
  const auto symbol = formula::parse_symbol(GetParam().symbol, *texts, request.request.launch);
  ASSERT_TRUE(symbol) << to_string(symbol.error());
  request.symbols = {*symbol};
  request.request = request_at({{symbol->name, static_cast<double>(symbol->reference)}});
  auto formulas = formula::make_formulas(request);
  ASSERT_TRUE(formulas) << to_string(formulas.error());
  engine::Session session;
  formula::CheckRequest how{.points = 6, .executed_points = 2};
  how.request_at = [&](const formula::Point& at) -> Result<engine::PredictRequest> {
    return request_at({{symbol->name, static_cast<double>(at.at(symbol->name))}});
  };
  how.predict = [&](const formula::Point& at) -> Result<facts::Prediction> {
    auto asked = how.request_at(at);
    FOREWARP_TRY(asked);
    auto predictions = session.predict(*asked);
    FOREWARP_TRY(predictions);
    return std::move(predictions->front());
  };
  const auto form = formula::predictor_form(*formulas->front(), how.predict);
  ASSERT_TRUE(form) << to_string(form.error());
  const formula::FormulaCheck check = formula::check(*formulas->front(), *form, how);
  EXPECT_TRUE(check.left_out.empty()) << check.left_out.front();
  for (const formula::FormulaCheck::Row& row : check.models) {
    EXPECT_EQ(row.on_static.points, 6U) << row.model;
    EXPECT_LT(row.on_static.largest, 1e-9) << row.model;
    EXPECT_EQ(row.on_executed.points, 2U) << row.model;
    EXPECT_LT(row.on_executed.largest, 1e-9) << row.model;
  }
  ASSERT_TRUE(check.predictor);
  EXPECT_LT(check.predictor->median, 0.05);
  EXPECT_EQ(check.beyond_15_unsaid, 0);
  // The form is its own prediction at its knots.
  for (const formula::PredictorForm::Knot& knot : form->knots)
    EXPECT_NEAR(formulas->front()->evaluate({{symbol->name, knot.at}})[form->time_ms] / knot.time_ms, 1,
                1e-9);
}

INSTANTIATE_TEST_SUITE_P(Corpus, CheckedFormula,
                         ::testing::Values(Case{"gemm", "n=33:120"}, Case{"transpose_tiled", "width=40:300"},
                                           Case{"hotspot_3d", "size=64:192"},      // ways that never run
                                           Case{"cfd_fill", "count=30000:60000"}), // groups at the border
                         [](const auto& test) { return std::string(test.param.kernel); });

} // namespace
