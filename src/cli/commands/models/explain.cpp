// forewarp explain: one model's equations in order, with the numbers put in.
#include "cli/commands/commands.h"
#include "cli/commands/models/model_options.h"
#include "cli/output.h"
#include "formula/region_graph.h"
#include "launch/parse.h"
#include "report/models/model_tables.h"
#include "support/named.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <memory>

namespace forewarp::cli {
namespace {

struct ExplainOptions {
  std::string name;
  bool graph = false;
  ModelWords model;
};

Result<report::Equations> equations_of(const engine::ModelInput& input, const ExplainOptions& words) {
  auto answer = engine::evaluate_models(input, {{words.name}, words.model.scheduler});
  FOREWARP_TRY(answer);
  const engine::ModelRow& row = answer->rows.front();
  report::Equations equations{input.facts.kernel, input.machine.name, row.name, row.source, {}};
  for (const models::Step& step : row.prediction->steps)
    equations.lines.push_back({step.equation, step.symbol, step.unit, step.formula, step.value});
  return equations;
}

/// The program dependence graph that the work flow graph is made of, at the launch's sizes.
Result<void> explain_graph(const ExplainOptions& words) {
  PredictWords shared = words.model.predict;
  if (words.name != "wfg" && words.name != "wfg_corrected")
    return fail(ErrorCode::usage, fmt::format("'{}' has no graph", words.name), "--graph",
                "forewarp explain wfg --graph ...");
  FOREWARP_TRY(check_format(shared.format, {"text", "dot"}));
  launch::LaunchFile file;
  if (!shared.launch_file.empty()) {
    auto read = launch::read_launch_file(shared.launch_file);
    FOREWARP_TRY(read);
    file = *std::move(read);
  }
  auto request = make_request(shared, std::move(file));
  FOREWARP_TRY(request);
  auto gpus = choose_gpus(shared.gpus);
  FOREWARP_TRY(gpus);
  request->gpus = *std::move(gpus);
  formula::FormulaRequest open{*std::move(request), {}, {}, {}};
  for (const auto& [line, count] : open.request.run.unknown.trip_counts)
    open.trip_counts[line] = fmt::format("{}", count);
  const auto formulas = formula::make_formulas(open);
  FOREWARP_TRY(formulas);
  std::string text;
  for (const auto& formula : *formulas) {
    const formula::RegionGraph graph = formula::region_graph(*formula);
    text += shared.format == "dot" ? formula::to_dot(graph, *formula) : formula::to_text(graph, *formula);
  }
  return write_output(text, shared.output);
}

Result<void> explain(const ExplainOptions& words) {
  const PredictWords& shared = words.model.predict;
  if (words.graph)
    return explain_graph(words);
  FOREWARP_TRY(check_format(shared.format, {"text", "json"}));
  if (words.name.empty())
    return fail(ErrorCode::usage, "no model was named", "",
                "forewarp explain MODEL SOURCE ...; `forewarp models --aspects` lists the models");
  const predict::Predictor* predictor = find_row(predict::predictors(), words.name);
  if (predictor != nullptr && !predictor->gives.equations)
    return fail(ErrorCode::unsupported, "this predictor is a simulation, not a list of equations", words.name,
                "`forewarp predict` gives its causes; `forewarp explain pipeline` its simulator's");
  const auto inputs = gather_inputs(words.model);
  FOREWARP_TRY(inputs);
  std::vector<report::Equations> answers;
  for (const engine::ModelInput& input : *inputs) {
    auto equations = equations_of(input, words);
    FOREWARP_TRY(equations);
    answers.push_back(*std::move(equations));
  }
  return write_output(shared.format == "json" ? report::equations_json(answers)
                                              : report::equations_text(answers),
                      shared.output);
}

} // namespace

void add_explain(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<ExplainOptions>();
  CLI::App* app = root.add_subcommand("explain", "A published model's equations with the numbers put in");
  app->allow_extras();
  app->footer("Example:\n  forewarp explain mwp_cwp --launch corpus/stencil_2d/default.toml --gpu gtx1060");
  app->add_option("MODEL", words->name, "Name of the model; `forewarp models --aspects` lists them");
  app->add_flag(
      "--graph", words->graph,
      "wfg only: the program dependence graph, with regions, weights and data (--format text or dot)");
  add_model_options(*app, words->model);
  actions.push_back({app, [words] { return explain(*words); }});
}

} // namespace forewarp::cli
