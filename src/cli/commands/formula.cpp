// forewarp formula: time, counts and regimes as functions of sizes that are left open.
#include "cli/commands/commands.h"
#include "cli/commands/open_texts.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"
#include "engine/session.h"
#include "formula/answer.h"
#include "formula/check.h"
#include "formula/region_graph.h"
#include "launch/words.h"
#include "support/expression.h"
#include "symbolic/algebra/parse.h"
#include "validate/csv_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace forewarp::cli {
namespace {

using formula::Point;

struct FormulaOptions {
  PredictWords predict;
  std::vector<std::string> symbols, at;
  std::string against, cpu, measured;
  bool no_predictor = false, sample_trip_counts = false;
  std::size_t predictions = 28;
  std::size_t check_points = 0;
  std::uint64_t check_seed = 1;
};

Result<void> check_words(const FormulaOptions& words) {
  if (words.symbols.empty())
    return fail(ErrorCode::usage, "no size is left open", "--symbols",
                "name a value of the launch file or an argument: --symbols n");
  const std::string& format = words.predict.format;
  for (const char* known : {"text", "json", "svg", "c", "python", "graph", "dot"})
    if (format == known)
      return {};
  return fail(ErrorCode::usage, fmt::format("unknown format '{}'", format), "--format",
              "text, json, svg, c, python, graph or dot");
}

Result<std::map<std::uint32_t, std::string>> trip_counts(const std::vector<std::string>& texts) {
  std::map<std::uint32_t, std::string> out;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto line = launch::whole_number(std::string_view(text).substr(0, equals));
    if (equals == std::string::npos || !line || *line == 0 || *line > UINT32_MAX)
      return fail(ErrorCode::usage, fmt::format("'{}' is not LINE=EXPRESSION", text), "--trip-count",
                  "write the source line first: 14=n / 2");
    if (!out.emplace(static_cast<std::uint32_t>(*line), text.substr(equals + 1)).second)
      return fail(ErrorCode::usage, fmt::format("line {} has two trip counts", *line), "--trip-count",
                  "keep one");
  }
  return out;
}

/// One launch with its symbols open.
struct Source {
  FormulaOptions words;
  std::optional<launch::LaunchTexts> texts;
  formula::FormulaRequest request;

  /// As `forewarp predict` would be asked at a point.
  Result<engine::PredictRequest> request_at(const Point& at) const {
    std::map<std::string, double> values;
    PredictWords predict = words.predict;
    for (const auto& [name, value] : at) {
      if (texts && texts->values.contains(name)) {
        values[name] = static_cast<double>(value);
        continue;
      }
      std::erase_if(predict.arguments, [&](const std::string& text) { return text.starts_with(name + "="); });
      predict.arguments.push_back(fmt::format("{}={}", name, value));
    }
    predict.trip_counts.clear();
    for (const auto& [line, text] : request.trip_counts)
      if (const auto count = symbolic::parse(text, "--trip-count",
                                             [&](const std::string& name) -> Result<symbolic::Expression> {
                                               const auto found = at.find(name);
                                               if (found == at.end())
                                                 return symbolic::Expression::symbol(name);
                                               return symbolic::Expression(found->second);
                                             }))
        if (const auto number = count->whole_constant(); number && *number > 0)
          predict.trip_counts.push_back(fmt::format("{}={}", line, *number));
    launch::LaunchFile file;
    if (texts) {
      auto read = launch::read_launch_file(predict.launch_file, values);
      FOREWARP_TRY(read);
      file = *std::move(read);
    }
    auto out = make_request(predict, std::move(file));
    FOREWARP_TRY(out);
    out->gpus = request.request.gpus;
    return out;
  }
  Result<engine::PredictRequest> request_on(std::size_t gpu, const Point& at) const {
    auto out = request_at(at);
    FOREWARP_TRY(out);
    out->gpus = {request.request.gpus[gpu]};
    return out;
  }
  Result<facts::Prediction> predict_on(std::size_t gpu, const Point& at, engine::Session& session) const {
    const auto asked = request_on(gpu, at);
    FOREWARP_TRY(asked);
    auto predictions = session.predict(*asked);
    FOREWARP_TRY(predictions);
    return std::move(predictions->front());
  }
};

Result<Source> open_source(const FormulaOptions& words) {
  Source source;
  source.words = words;
  auto counts = trip_counts(words.predict.trip_counts);
  FOREWARP_TRY(counts);
  source.request.trip_counts = *std::move(counts);
  auto texts = open_texts(words.predict);
  FOREWARP_TRY(texts);
  source.texts = *std::move(texts);
  auto gpus = choose_gpus(words.predict.gpus);
  FOREWARP_TRY(gpus);
  source.request.request.gpus = *std::move(gpus);
  auto first = source.request_at({});
  FOREWARP_TRY(first);
  Point reference;
  for (const std::string& text : words.symbols) {
    auto symbol = formula::parse_symbol(text, source.texts, first->launch);
    FOREWARP_TRY(symbol);
    if (!reference.emplace(symbol->name, symbol->reference).second)
      return fail(ErrorCode::usage, fmt::format("the symbol '{}' is named twice", symbol->name), "--symbols",
                  "keep one");
    source.request.symbols.push_back(*std::move(symbol));
  }
  source.request.texts = source.texts;
  source.request.sample_trip_counts = words.sample_trip_counts;
  auto request = source.request_at(reference);
  FOREWARP_TRY(request);
  source.request.request = *std::move(request);
  return source;
}

Result<formula::Answer::Asked> asked_point(const FormulaOptions& words,
                                           const std::vector<formula::Symbol>& symbols) {
  formula::Answer::Asked asked;
  for (const std::string& text : words.at) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto value = equals == std::string::npos
                           ? std::nullopt
                           : launch::whole_number(std::string_view(text).substr(equals + 1));
    const bool known = std::any_of(symbols.begin(), symbols.end(),
                                   [&](const formula::Symbol& symbol) { return symbol.name == name; });
    if (!value || *value > (std::uint64_t{1} << 48) || !known)
      return fail(ErrorCode::usage, fmt::format("'{}' is no value of a symbol", text), "--at",
                  "write SYMBOL=NUMBER, of a symbol of --symbols");
    if (!asked.at.emplace(name, static_cast<std::int64_t>(*value)).second)
      return fail(ErrorCode::usage, fmt::format("'{}' has two values", name), "--at", "keep one");
  }
  for (const formula::Symbol& symbol : symbols)
    if (asked.at.emplace(symbol.name, symbol.reference).second)
      asked.from_launch.push_back(symbol.name);
  return asked;
}

struct Made {
  std::vector<std::unique_ptr<formula::Formula>> formulas;
  std::vector<std::optional<formula::PredictorForm>> predictors;
};

Result<Made> make(const Source& source, const FormulaOptions& words) {
  auto formulas = formula::make_formulas(source.request);
  FOREWARP_TRY(formulas);
  Made made{*std::move(formulas), {}};
  engine::Session session;
  for (std::size_t gpu = 0; gpu < made.formulas.size(); ++gpu) {
    made.predictors.emplace_back();
    if (words.no_predictor)
      continue;
    const auto predict = [&](const Point& at) { return source.predict_on(gpu, at, session); };
    auto form = formula::predictor_form(*made.formulas[gpu], predict, words.predictions);
    FOREWARP_TRY(form);
    made.predictors.back() = *std::move(form);
  }
  return made;
}

/// Each GPU's formula against models and predictor at random sizes.
Result<std::string> checked(const Source& source, const Made& made, const FormulaOptions& words) {
  std::string text;
  for (std::size_t gpu = 0; gpu < made.formulas.size(); ++gpu) {
    engine::Session session;
    formula::CheckRequest request{.points = words.check_points, .seed = words.check_seed};
    request.request_at = [&](const Point& at) { return source.request_on(gpu, at); };
    request.predict = [&](const Point& at) { return source.predict_on(gpu, at, session); };
    const formula::FormulaCheck check = formula::check(*made.formulas[gpu], made.predictors[gpu], request);
    text += words.predict.format == "json" ? formula::to_json(check, *made.formulas[gpu])
                                           : formula::to_text(check, *made.formulas[gpu]);
  }
  return text;
}

/// Of a table with the columns of the first symbol and "time_ms".
Result<std::vector<formula::Answer::Measured>> read_measured(const std::string& path,
                                                             const std::string& symbol) {
  const auto table = validate::read_csv(path);
  FOREWARP_TRY(table);
  const int size = table->column(symbol), time = table->column("time_ms");
  if (size < 0 || time < 0)
    return fail(ErrorCode::bad_input, fmt::format("there is no column '{}'", size < 0 ? symbol : "time_ms"),
                path, fmt::format("the first line names the columns: {},time_ms", symbol));
  std::vector<formula::Answer::Measured> points;
  for (std::size_t row = 0; row < table->rows.size(); ++row) {
    const auto& cells = table->rows[row];
    const auto at = launch::whole_number(cells[static_cast<std::size_t>(size)]);
    const std::string& text = cells[static_cast<std::size_t>(time)];
    char* end = nullptr;
    const double ms = std::strtod(text.c_str(), &end);
    if (!at || *at == 0 || *at > (std::uint64_t{1} << 48) || text.empty() || *end != '\0' || !(ms > 0))
      return fail(ErrorCode::bad_input, "no size with a time above 0",
                  fmt::format("{}: row {}", path, row + 1), "a whole number and a time in ms");
    points.push_back({static_cast<std::int64_t>(*at), ms});
  }
  return points;
}

/// Times along the first symbol.
formula::Curve curve_of(const std::string& name, const formula::Formula& formula,
                        const std::optional<formula::PredictorForm>& predictor) {
  Point at;
  for (const formula::Symbol& symbol : formula.symbols)
    at[symbol.name] = symbol.reference;
  const auto index = predictor ? predictor->time_ms : formula.find("roofline")->time_ms.index();
  return {name, [at, &formula, index](std::int64_t value) mutable {
            at[formula.symbols.front().name] = value;
            return formula.evaluate(at)[index];
          }};
}

Result<void> run_formula(const FormulaOptions& words) {
  FOREWARP_TRY(check_words(words));
  auto source = open_source(words);
  FOREWARP_TRY(source);
  if (words.predict.format == "graph" || words.predict.format == "dot") {
    const auto formulas = formula::make_formulas(source->request);
    FOREWARP_TRY(formulas);
    const formula::Formula& first = *formulas->front();
    const formula::RegionGraph graph = formula::region_graph(first);
    return write_output(words.predict.format == "dot" ? formula::to_dot(graph, first)
                                                      : formula::to_text(graph, first),
                        words.predict.output);
  }
  auto made = make(*source, words);
  FOREWARP_TRY(made);
  if (words.check_points > 0) {
    const auto text = checked(*source, *made, words);
    FOREWARP_TRY(text);
    return write_output(*text, words.predict.output);
  }
  Made other;
  if (!words.against.empty()) {
    FormulaOptions second = words;
    second.predict.launch_file = words.against;
    second.predict.source.clear();
    second.predict.kernel.clear();
    auto opened = open_source(second);
    FOREWARP_TRY(opened);
    auto also = make(*opened, second);
    FOREWARP_TRY(also);
    other = *std::move(also);
  }
  formula::Answer answer;
  std::vector<formula::Curve> curves;
  const auto add_curves = [&](const Made& from, const std::string& label) {
    for (std::size_t i = 0; i < from.formulas.size(); ++i)
      curves.push_back(curve_of(label.empty() ? from.formulas[i]->gpu
                                              : fmt::format("{} on {}", label, from.formulas[i]->gpu),
                                *from.formulas[i], from.predictors[i]));
  };
  add_curves(*made, words.against.empty() ? "" : words.predict.launch_file);
  add_curves(other, words.against);
  std::optional<Expression> cpu;
  if (!words.cpu.empty()) {
    auto parsed = Expression::parse(words.cpu, "--cpu-ms");
    FOREWARP_TRY(parsed);
    const std::string name = source->request.symbols.front().name;
    FOREWARP_TRY(parsed->evaluate({{name, 1.0}}));
    cpu.emplace(*std::move(parsed));
    curves.push_back({"cpu", [&cpu, name](std::int64_t value) {
                        return cpu->evaluate({{name, static_cast<double>(value)}}).value_or(HUGE_VAL);
                      }});
  }
  if (curves.size() > 1) {
    formula::Symbol sizes = made->formulas.front()->symbols.front();
    for (const Made* each : {&*made, &other})
      for (const auto& formula : each->formulas) {
        auto common = formula::common_sizes(sizes, formula->symbols.front());
        FOREWARP_TRY(common);
        sizes = *std::move(common);
      }
    answer.leads = formula::leads(curves, sizes);
    answer.leads_of = words.no_predictor ? "roofline" : "hybrid";
    for (const formula::Curve& curve : curves)
      answer.curve_names.push_back(curve.name);
  }
  if (!words.measured.empty()) {
    auto points = read_measured(words.measured, made->formulas.front()->symbols.front().name);
    FOREWARP_TRY(points);
    answer.measured = *std::move(points);
  }
  if (!words.at.empty()) {
    auto asked = asked_point(words, made->formulas.front()->symbols);
    FOREWARP_TRY(asked);
    for (const auto& formula : made->formulas)
      FOREWARP_TRY(formula->check(asked->at));
    answer.asked = *std::move(asked);
  }
  answer.formulas = std::move(made->formulas);
  answer.predictors = std::move(made->predictors);
  const std::string& format = words.predict.format;
  return write_output(format == "json"     ? to_json(answer)
                      : format == "svg"    ? to_svg(answer)
                      : format == "c"      ? to_c(answer)
                      : format == "python" ? to_python(answer)
                                           : to_text(answer),
                      words.predict.output);
}

} // namespace

void add_formula(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<FormulaOptions>();
  CLI::App* app = root.add_subcommand("formula", "Time as a function of sizes that are left open");
  app->allow_extras();
  app->footer("Example:\n  forewarp formula --launch corpus/gemm/default.toml --gpu v100,h100 --symbols "
              "n=64:8192:+64");
  const char* group = "Formula (docs/guide/formula.md)";
  app->add_option(
         "--symbols", words->symbols,
         "NAME, NAME=LOW:HIGH or NAME=LOW:HIGH:+STEP: values of the launch file or arguments, with commas or "
         "repeated")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group(group);
  app->add_option("--at", words->at, "NAME=NUMBER: the formula's value there, if its constraints hold")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group(group);
  app->add_option("--against", words->against, "A second launch file: which of the two is faster, by size")
      ->group(group);
  app->add_option("--cpu-ms", words->cpu, "The processor's time in ms as an expression of the first symbol")
      ->group(group);
  app->add_option("--measured", words->measured,
                  "A .csv file of the first symbol and time_ms: points beside the curves of --format svg")
      ->group(group);
  app->add_flag("--no-predictor", words->no_predictor, "Published models only: nothing of the kernel is run")
      ->group(group);
  app->add_option("--predictions", words->predictions,
                  "Predictions behind the default predictor's form, at most")
      ->check(CLI::Range(16, 200))
      ->group(group);
  app->add_flag("--sample-trip-counts", words->sample_trip_counts,
                "Loops that rest on data: their mean iterations over warps of a group an SM, run on the data")
      ->group(group);
  app->add_option(
         "--check", words->check_points,
         "Instead of the formula: how far it is off the models and the default predictor at this many "
         "random sizes")
      ->check(CLI::Range(1, 100000))
      ->group(group);
  app->add_option("--check-seed", words->check_seed, "Of the random sizes")->group(group);
  app->add_option("--format", words->predict.format,
                  "text, json, svg, c, python, or the program dependence graph: graph, dot")
      ->group("Output");
  app->add_option("-o,--output", words->predict.output, "File instead of standard output")->group("Output");
  add_request_options(*app, words->predict);
  actions.push_back({app, [words] { return run_formula(*words); }});
}

} // namespace forewarp::cli
