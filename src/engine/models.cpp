#include "engine/models.h"

#include "engine/models_simulator.h"
#include "support/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace forewarp::engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* pipeline_name = "pipeline";
constexpr const char* independent_name = "pipeline_context_independent";
constexpr const char* hybrid_name = "hybrid";
constexpr const char* lemeire = "Lemeire, Cornelis, Konstantinidis";

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<void> check_names(const std::vector<std::string>& names) {
  const std::vector<std::string> known = model_names();
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    const std::vector<std::string> near = nearest_names(name, known);
    return fail(ErrorCode::not_found, fmt::format("there is no model '{}'", name), "--models",
                near.empty() ? "`forewarp models --aspects` lists them"
                             : fmt::format("did you mean '{}'?", near.front()));
  }
  return {};
}

/// A row for a result; an error ends the evaluation where the model was asked for by name.
Result<void> add_row(ModelsAnswer& answer, const std::string& name, std::string_view source,
                     Result<models::ModelPrediction> result, bool by_name) {
  ModelRow row{.name = name, .source = std::string(source)};
  if (result)
    row.prediction = *std::move(result);
  else if (by_name)
    return tl::unexpected<Error>(result.error());
  else
    row.refusal = result.error().message;
  answer.rows.push_back(std::move(row));
  return {};
}

Result<models::ModelPrediction> hybrid_row(const ModelInput& input) {
  if (!input.hybrid)
    return fail(ErrorCode::bad_input, "model 'hybrid' needs the kernel's trace", "facts",
                "predict from a source instead of --facts");
  const facts::Prediction& from = *input.hybrid;
  models::ModelPrediction prediction{.model = hybrid_name};
  prediction.concurrent_warps = input.facts.concurrent_warps();
  prediction.cycles = from.cycles;
  prediction.time_ms = from.time_ms;
  prediction.limiter = std::string(facts::to_string(from.limiter));
  const double warps = input.facts.groups * input.facts.warps_per_group / input.machine.sm_count;
  prediction.warps_per_cycle = warps / from.cycles;
  prediction.cycles_per_run = prediction.concurrent_warps / prediction.warps_per_cycle;
  return prediction;
}

Result<models::ModelPrediction> independent_row(const ModelInput& input, pipeline::SchedulerPolicy policy) {
  if (!input.independent_facts)
    return fail(ErrorCode::bad_input, "model 'pipeline_context_independent' needs facts made from a source",
                "facts", "a facts file holds one mapper's numbers; predict from a source");
  return simulate_model(independent_name, *input.independent_facts, input.machine, 0, policy);
}

void set_distances(ModelsAnswer& answer) {
  for (const ModelRow& reference : answer.rows) {
    if (reference.name != pipeline_name || !reference.prediction)
      continue;
    for (ModelRow& row : answer.rows)
      if (row.prediction)
        row.to_simulator = row.prediction->time_ms / reference.prediction->time_ms - 1;
  }
}

} // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const models::Model& model : models::registry())
    names.emplace_back(model.name);
  names.insert(names.end(), {pipeline_name, independent_name, hybrid_name});
  return names;
}

Result<ModelsAnswer> evaluate_models(const ModelInput& input, const ModelsOptions& options) {
  FOREWARP_TRY(check_names(options.models));
  const auto policy = scheduler_named(options.scheduler);
  FOREWARP_TRY(policy);
  const bool by_name = !options.models.empty();
  const auto wanted = [&](std::string_view name) {
    return !by_name || std::find(options.models.begin(), options.models.end(), name) != options.models.end();
  };
  ModelsAnswer answer;
  const Clock::time_point start = Clock::now();
  for (const models::Model& model : models::registry())
    if (wanted(model.name))
      FOREWARP_TRY(add_row(answer, std::string(model.name), model.source,
                           model.predict(input.facts, input.machine, {}), by_name));
  answer.models_seconds = seconds_since(start);
  // Always run: distances refer to it.
  auto simulated = simulate_model(pipeline_name, input.facts, input.machine, 0, *policy);
  const bool listed = wanted(pipeline_name);
  FOREWARP_TRY(add_row(answer, pipeline_name, lemeire, std::move(simulated), by_name && listed));
  if (wanted(independent_name) && (by_name || input.independent_facts))
    FOREWARP_TRY(add_row(answer, independent_name, lemeire, independent_row(input, *policy), by_name));
  if (wanted(hybrid_name) && (by_name || input.hybrid))
    FOREWARP_TRY(add_row(answer, hybrid_name, "this program's default", hybrid_row(input), by_name));
  set_distances(answer);
  if (!listed)
    std::erase_if(answer.rows, [](const ModelRow& row) { return row.name == pipeline_name; });
  return answer;
}

Result<Sweep> sweep_occupancy(const ModelInput& input, const ModelsOptions& options) {
  FOREWARP_TRY(check_names(options.models));
  const auto policy = scheduler_named(options.scheduler);
  FOREWARP_TRY(policy);
  const bool by_name = !options.models.empty();
  const auto wanted = [&](std::string_view name) {
    return !by_name || std::find(options.models.begin(), options.models.end(), name) != options.models.end();
  };
  Sweep sweep;
  const auto most = static_cast<unsigned>(std::max(1.0, std::floor(input.facts.concurrent_groups)));
  for (unsigned gamma = 1; gamma <= most; ++gamma)
    sweep.concurrent_warps.push_back(gamma * input.facts.warps_per_group);
  constexpr double refused = std::numeric_limits<double>::quiet_NaN();
  for (const models::Model& model : models::registry()) {
    if (!wanted(model.name))
      continue;
    Sweep::Series series{std::string(model.name), {}};
    for (const double omega : sweep.concurrent_warps) {
      const auto prediction = model.predict(input.facts, input.machine, {.concurrent_warps = omega});
      if (!prediction && by_name)
        return tl::unexpected<Error>(prediction.error());
      series.warps_per_cycle.push_back(prediction ? prediction->warps_per_cycle : refused);
    }
    sweep.series.push_back(std::move(series));
  }
  if (wanted(pipeline_name)) {
    Sweep::Series series{pipeline_name, {}};
    for (unsigned gamma = 1; gamma <= most; ++gamma) {
      const auto prediction = simulate_model(pipeline_name, input.facts, input.machine, gamma, *policy);
      if (!prediction && by_name)
        return tl::unexpected<Error>(prediction.error());
      series.warps_per_cycle.push_back(prediction ? prediction->warps_per_cycle : refused);
    }
    sweep.series.push_back(std::move(series));
  }
  return sweep;
}

} // namespace forewarp::engine
