// forewarp models: every published model on one kernel, side by side.
#include "cli/commands/commands.h"
#include "cli/commands/models/model_options.h"
#include "cli/output.h"
#include "report/models/model_tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace forewarp::cli {
namespace {

struct ModelsOptions {
  ModelWords model;
  std::vector<std::string> models;
  std::string sweep, mapper = "context-dependent";
  bool aspects = false;
};

report::AspectTable aspect_table() {
  report::AspectTable table{{"ilp", "compute_latency", "memory_latency", "barriers",
                             "more_than_two_subsystems", "groups", "divergent_warps", "issue_limit",
                             "scheduler"},
                            {}};
  for (const predict::Predictor& predictor : predict::predictors()) {
    if (!predictor.aspects)
      continue;
    const models::Aspects& a = *predictor.aspects;
    table.rows.push_back({predictor.name,
                          predictor.source,
                          {a.ilp, a.compute_latency, a.memory_latency, a.barriers, a.more_than_two_subsystems,
                           a.groups, a.divergent_warps, a.issue_limit, a.scheduler}});
  }
  return table;
}

report::ModelLine line_of(const engine::ModelInput& input, const engine::ModelRow& row) {
  report::ModelLine line{input.facts.kernel, input.machine.name, row.name, row.source, row.refusal};
  if (row.prediction) {
    line.time_ms = row.prediction->time_ms;
    line.cycles = row.prediction->cycles;
    line.concurrent_warps = row.prediction->concurrent_warps;
    line.cycles_per_run = row.prediction->cycles_per_run;
    line.warps_per_cycle = row.prediction->warps_per_cycle;
    line.limiter = row.prediction->limiter;
    line.to_simulator = row.to_simulator;
  } else {
    line.concurrent_warps = input.facts.concurrent_warps();
  }
  return line;
}

void add_notes(report::ModelTable& table, const engine::ModelInput& input, bool several) {
  for (const facts::Note& note : input.notes) {
    const std::string text = (several ? input.machine.name + ": " : "") + note.text;
    if (std::find(table.notes.begin(), table.notes.end(), text) == table.notes.end())
      table.notes.push_back(text);
  }
}

engine::ModelsOptions options_of(const ModelsOptions& words) {
  return {words.models, words.model.scheduler, words.mapper == "context-independent"};
}

Result<std::string> table_text(const ModelsOptions& words, const std::vector<engine::ModelInput>& inputs) {
  report::ModelTable table;
  for (const engine::ModelInput& input : inputs) {
    const auto answer = engine::evaluate_models(input, options_of(words));
    FOREWARP_TRY(answer);
    for (const engine::ModelRow& row : answer->rows)
      table.lines.push_back(line_of(input, row));
    add_notes(table, input, inputs.size() > 1);
  }
  const std::string& format = words.model.predict.format;
  return format == "json"  ? report::models_json(table)
         : format == "csv" ? report::models_csv(table)
                           : report::models_text(table);
}

Result<std::string> sweep_text(const ModelsOptions& words, const std::vector<engine::ModelInput>& inputs) {
  std::vector<report::ModelSweep> sweeps;
  for (const engine::ModelInput& input : inputs) {
    auto sweep = engine::sweep_occupancy(input, options_of(words));
    FOREWARP_TRY(sweep);
    report::ModelSweep out{input.facts.kernel, input.machine.name, std::move(sweep->concurrent_warps), {}};
    for (engine::Sweep::Series& series : sweep->series)
      out.series.push_back({std::move(series.name), std::move(series.warps_per_cycle)});
    sweeps.push_back(std::move(out));
  }
  const std::string& format = words.model.predict.format;
  return format == "json"  ? report::sweep_json(sweeps)
         : format == "csv" ? report::sweep_csv(sweeps)
         : format == "svg" ? report::sweep_svg(sweeps.front())
                           : report::sweep_text(sweeps);
}

Result<void> models(const ModelsOptions& words) {
  const PredictWords& predict = words.model.predict;
  FOREWARP_TRY(check_format(predict.format, {"text", "json", "csv", "svg"}));
  if (!words.sweep.empty() && words.sweep != "occupancy")
    return fail(ErrorCode::usage, fmt::format("nothing to sweep is called '{}'", words.sweep), "--sweep",
                "--sweep occupancy");
  if (words.mapper != "context-dependent" && words.mapper != "context-independent")
    return fail(ErrorCode::usage, fmt::format("no mapper is called '{}'", words.mapper), "--mapper",
                "context-dependent or context-independent");
  if (predict.format == "svg" && (words.sweep.empty() || predict.gpus.size() > 1))
    return fail(ErrorCode::usage, "svg shows the occupancy rooflines of one GPU", "--format",
                "add --sweep occupancy and name one GPU");
  if (words.aspects)
    return write_output(predict.format == "json" ? report::aspects_json(aspect_table())
                                                 : report::aspects_text(aspect_table()),
                        predict.output);
  const auto inputs = gather_inputs(words.model);
  FOREWARP_TRY(inputs);
  const auto text = words.sweep.empty() ? table_text(words, *inputs) : sweep_text(words, *inputs);
  FOREWARP_TRY(text);
  return write_output(*text, predict.output);
}

} // namespace

void add_models(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<ModelsOptions>();
  CLI::App* app = root.add_subcommand("models", "Every published model on one kernel, side by side");
  app->allow_extras();
  app->footer("Example:\n  forewarp models --launch corpus/matrix_multiply_tiled/default.toml --gpu rtx2070\n"
              "  forewarp models --facts kernel.json --sweep occupancy --format svg --output kernel.svg");
  const char* group = "Models (docs/models)";
  app->add_option("--models", words->models, "Names, with commas or repeated; all by default")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->group(group);
  app->add_option("--sweep", words->sweep,
                  "occupancy: throughput from one resident group to the most that fit")
      ->group(group);
  app->add_option(
         "--mapper", words->mapper,
         "context-dependent (caches, coalescing), or context-independent: every access coalesced and "
         "from DRAM")
      ->group(group);
  app->add_flag("--aspects", words->aspects, "What each model takes into account; needs no kernel")
      ->group(group);
  add_model_options(*app, words->model);
  actions.push_back({app, [words] { return models(*words); }});
}

} // namespace forewarp::cli
