// Formulas of corpus kernels at random sizes: counts against the executed trace, times against the models.
#include "engine/models.h"
#include "formula/formula.h"
#include "formula/formula_source.h"
#include "launch/parse.h"
#include "predict/published/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

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
                                           Case{"correlation", "columns=20:90"}),
                         [](const auto& test) { return std::string(test.param.kernel); });

/// The long check behind docs/results/formula.md: FOREWARP_FORMULA_POINTS=200 property_formula
/// --gtest_filter=*WholeCorpus*. Prints a row a kernel; passes where every formula that was made is right.
TEST(WholeCorpus, CountsAndTimes) {
  const char* wanted = std::getenv("FOREWARP_FORMULA_POINTS");
  if (wanted == nullptr)
    GTEST_SKIP() << "set FOREWARP_FORMULA_POINTS to the number of points a kernel";
  const int points = std::atoi(wanted), executed_points = std::min(points, 4);
  const auto catalogue = gpu::Catalogue::load(std::string(FOREWARP_SOURCE_DIR) + "/data/gpus");
  ASSERT_TRUE(catalogue);
  std::set<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(FOREWARP_SOURCE_DIR) + "/corpus"))
    if (std::filesystem::exists(entry.path() / "default.toml"))
      folders.insert(entry.path());
  for (const std::filesystem::path& folder : folders) {
    const std::string path = (folder / "default.toml").string(), name = folder.filename().string();
    const auto request_at = [&](const std::map<std::string, double>& values) {
      auto file = launch::read_launch_file(path, values);
      EXPECT_TRUE(file);
      engine::PredictRequest request;
      request.compile.path = file->source;
      request.compile.defines = file->defines;
      request.compile.extra_options = file->options;
      request.kernel = file->kernel;
      request.launch = file->launch;
      request.gpus = {*catalogue->find("rtx2070")};
      return request;
    };
    const auto texts = launch::read_launch_texts(path);
    if (!texts)
      continue;
    // The first value that may stay open.
    std::string refusal = "no value may stay open";
    std::unique_ptr<formula::Formula> made;
    double milliseconds = 0;
    for (const auto& [value_name, value] : texts->values) {
      const auto high = std::min<std::int64_t>(static_cast<std::int64_t>(value), 512);
      if (high < 64)
        continue;
      const auto symbol = formula::parse_symbol(
          fmt::format("{}={}:{}", value_name, std::max<std::int64_t>(32, high / 16), high), *texts, {});
      if (!symbol)
        continue;
      formula::FormulaRequest request{
          request_at({{value_name, static_cast<double>(symbol->reference)}}), *texts, {*symbol}, {}};
      const auto begin = std::chrono::steady_clock::now();
      auto formulas = formula::make_formulas(request);
      milliseconds =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      if (formulas) {
        made = std::move(formulas->front());
        break;
      }
      refusal = formulas.error().message;
    }
    if (made == nullptr) {
      std::printf("%-26s refused: %s\n", name.c_str(), refusal.c_str());
      continue;
    }
    const formula::Symbol& symbol = made->symbols.front();
    std::mt19937 random(11);
    double worst_count = 0, worst_time = 0;
    int compared = 0;
    for (int p = 0; p < points; ++p) {
      const std::int64_t steps = (symbol.high - symbol.low) / symbol.step + 1;
      const std::int64_t n =
          symbol.low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps)) * symbol.step;
      const formula::Point at = {{symbol.name, n}};
      if (!made->check(at))
        continue;
      const auto facts = made->facts_at(at);
      if (!facts)
        continue;
      for (const formula::ModelForm& form : made->models) {
        const auto prediction =
            models::find_model(form.model)->predict(*facts, *made->made_of->target.machine, {});
        if (prediction)
          worst_time = std::max(worst_time, std::abs(made->time_ms(form, at) / prediction->time_ms - 1));
      }
      if (p >= executed_points)
        continue;
      engine::PredictRequest whole = request_at({{symbol.name, static_cast<double>(n)}});
      whole.run.whole_grid = true;
      whole.run.max_seconds = 4;
      const auto executed = engine::model_inputs(whole);
      if (!executed)
        continue;
      ++compared;
      std::map<std::string, double> of_formula;
      for (const facts::ModelClass& row : facts->mix)
        of_formula[row.name] += row.count_per_warp;
      std::map<std::string, double> of_trace;
      for (const facts::ModelClass& row : executed->front().independent_facts->mix)
        of_trace[row.name] += row.count_per_warp;
      for (const auto& [row, count] : of_trace)
        worst_count = std::max(worst_count, std::abs(of_formula[row] / count - 1));
    }
    const auto begin = std::chrono::steady_clock::now();
    constexpr int times = 2000;
    for (int i = 0; i < times; ++i)
      made->evaluate({{symbol.name, symbol.low + i % (symbol.high - symbol.low + 1)}});
    const double microseconds =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / times;
    std::printf("%-26s %-10s steps %6zu made in %7.1f ms, %8.3f us a point, counts off by %.1e (%d points), "
                "times by %.1e, "
                "%zu taken as true\n",
                name.c_str(), symbol.name.c_str(), made->program.size(), milliseconds, microseconds,
                worst_count, compared, worst_time, made->made_of->runs.taken_as_true.size());
    std::fflush(stdout);
    EXPECT_LT(worst_time, 1e-9) << name;
    if (made->made_of->runs.taken_as_true.empty()) {
      EXPECT_LT(worst_count, 1e-9) << name;
    }
  }
}

} // namespace
