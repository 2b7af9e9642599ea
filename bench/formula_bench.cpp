// Formulas of corpus kernels: what they cost beside the compile, a point of them, and the default predictor's
// form. The whole corpus: tools/check_formula.
#include "engine/session.h"
#include "formula/predictor_form.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "symbolic/program/evaluator.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <stdexcept>

namespace {

using namespace forewarp;

struct Case {
  const char *kernel, *symbol;
};
constexpr Case cases[] = {{"vector_add", "n=1000:4000000"},     {"gemm", "n=64:1024"},
                          {"gemm_tiled", "n=64:1024"},          {"reduction", "n=1000:4000000"},
                          {"transpose_tiled", "width=64:2048"}, {"nbody", "n=1024:16384:+256"}};

template <class T> T need(Result<T> result) {
  if (!result)
    throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

struct Open {
  gpu::GpuChoice gpu = need(need(gpu::Catalogue::open_default()).find("rtx2070"));
  std::string file;
  formula::FormulaRequest request;

  explicit Open(const Case& which)
      : file((std::filesystem::path(FOREWARP_SOURCE_DIR) / "corpus" / which.kernel / "default.toml")
                 .string()) {
    request.texts = need(launch::read_launch_texts(file));
    request.request = at({});
    request.symbols = {need(formula::parse_symbol(which.symbol, request.texts, request.request.launch))};
    request.request = at({{name(), static_cast<double>(request.symbols.front().reference)}});
  }
  const std::string& name() const { return request.symbols.front().name; }
  engine::PredictRequest at(const std::map<std::string, double>& values) const {
    const auto read = need(launch::read_launch_file(file, values));
    engine::PredictRequest out;
    out.compile.path = read.source;
    out.compile.defines = read.defines;
    out.compile.extra_options = read.options;
    out.kernel = read.kernel;
    out.launch = read.launch;
    out.gpus.push_back(gpu);
    return out;
  }
};

/// `beside_compile_ms`: without compile and machine step.
void published(benchmark::State& state) {
  const Open open(cases[state.range(0)]);
  double beside = 0;
  for (auto _ : state)
    beside += need(formula::make_formulas(open.request)).front()->made_ms;
  state.SetLabel(cases[state.range(0)].kernel);
  state.counters["beside_compile_ms"] = beside / static_cast<double>(state.iterations());
}
BENCHMARK(published)->DenseRange(0, std::size(cases) - 1)->Unit(benchmark::kMillisecond);

/// All published models' times at 1024 points; `points_a_second`.
void points(benchmark::State& state) {
  const Open open(cases[state.range(0)]);
  const auto formulas = need(formula::make_formulas(open.request));
  std::vector<symbolic::Program::Index> times;
  for (const formula::ModelForm& model : formulas.front()->models)
    times.push_back(model.time_ms.index());
  symbolic::Evaluator evaluator(formulas.front()->program, times);
  constexpr std::size_t together = 1024;
  std::vector<double> sizes, values(times.size() * together);
  for (std::size_t i = 0; i < together; ++i)
    sizes.push_back(static_cast<double>(1000 + i));
  for (auto _ : state) {
    evaluator.evaluate(sizes.data(), values.data(), together);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetLabel(cases[state.range(0)].kernel);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * together));
  state.counters["steps"] = static_cast<double>(evaluator.steps());
}
BENCHMARK(points)->DenseRange(0, std::size(cases) - 1)->Unit(benchmark::kMicrosecond);

void predictor(benchmark::State& state) {
  const Open open(cases[state.range(0)]);
  for (auto _ : state) {
    const auto formulas = need(formula::make_formulas(open.request));
    engine::Session session;
    const auto form = need(formula::predictor_form(
        *formulas.front(), [&](const formula::Point& at) -> Result<facts::Prediction> {
          auto told = session.predict(open.at({{open.name(), static_cast<double>(at.at(open.name()))}}));
          FOREWARP_TRY(told);
          return std::move(told->front());
        }));
    benchmark::DoNotOptimize(form.time_ms);
  }
  state.SetLabel(cases[state.range(0)].kernel);
}
BENCHMARK(predictor)->DenseRange(0, std::size(cases) - 1)->Unit(benchmark::kMillisecond);

} // namespace
