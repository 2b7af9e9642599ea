// Formulas of corpus kernels at random sizes: counts against the executed trace, times against the models.
#include "engine/models.h"
#include "formula/formula.h"
#include "models/model.h"

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

  std::mt19937 random(7);
  for (int trial = 0; trial < 3; ++trial) {
    const std::int64_t steps = (symbol->high - symbol->low) / symbol->step + 1;
    const std::int64_t n =
        symbol->low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps)) * symbol->step;
    const formula::Point at = {{symbol->name, n}};
    ASSERT_TRUE(formula.check(at));
    const auto facts = formula.facts_at(at);
    ASSERT_TRUE(facts) << to_string(facts.error());

    const auto executed = engine::model_inputs(request_at({{symbol->name, static_cast<double>(n)}}));
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
      const auto prediction = model->predict(*facts, *formula.target.machine, {});
      ASSERT_TRUE(prediction) << to_string(prediction.error());
      EXPECT_NEAR(formula.time_ms(form, at) / prediction->time_ms, 1, 1e-9) << form.model << " at " << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CorpusFormula,
                         ::testing::Values(Case{"vector_add", "n=1000:3000000"}, Case{"gemm", "n=33:400"},
                                           Case{"gemm_tiled", "n=33:400"}, Case{"reduction", "n=1000:500000"},
                                           Case{"scan_tree", "n=1000:300000"},
                                           Case{"transpose_tiled", "width=32:1024"},
                                           Case{"syr2k", "n=33:200"}, Case{"nbody", "n=64:2048"},
                                           Case{"stencil_2d", "width=40:1000"},
                                           Case{"correlation", "m=20:200"}),
                         [](const auto& info) { return std::string(info.param.kernel); });

} // namespace
