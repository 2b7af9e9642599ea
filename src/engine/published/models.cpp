#include "engine/published/models.h"

#include "engine/predictor_facts.h"
#include "predict/simulated/pipeline.h"
#include "support/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace forewarp::engine {
namespace {

using Clock = std::chrono::steady_clock;
using predict::Predictor;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Which predictors are asked for.
class Choice {
public:
  explicit Choice(const std::vector<std::string>& names) : names_(names) {}
  bool by_name() const { return !names_.empty(); }
  bool wants(const std::string& name) const {
    return !by_name() || std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  Result<void> check() const {
    const std::vector<std::string> known = predict::predictor_names();
    for (const std::string& name : names_) {
      if (std::find(known.begin(), known.end(), name) != known.end())
        continue;
      const std::vector<std::string> near = nearest_names(name, known);
      return fail(ErrorCode::not_found, fmt::format("there is no model '{}'", name), "--models",
                  near.empty() ? "`forewarp models --aspects` lists them"
                               : fmt::format("did you mean '{}'?", near.front()));
    }
    return {};
  }

private:
  const std::vector<std::string>& names_;
};

/// What predictors see of an input; lives as long as the input.
struct View {
  std::optional<predict::TracedFacts> traced;
  predict::FactSet set;

  View(const ModelInput& input, bool context_independent)
      : set{input.machine, context_independent ? &*input.independent_facts : &input.facts,
            input.independent_facts ? &*input.independent_facts : nullptr} {
    if (input.traced)
      set.traced = &traced.emplace(input.traced->traced());
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
};

/// A row for a result; an error ends the evaluation where the model was asked for by name.
Result<void> add_row(ModelsAnswer& answer, const Predictor& predictor, Result<predict::Answer> result,
                     bool by_name) {
  ModelRow row{.name = predictor.name, .source = predictor.source};
  if (result)
    row.prediction = std::move(result->sm);
  else if (by_name)
    return tl::unexpected<Error>(result.error());
  else
    row.refusal = result.error().message;
  answer.rows.push_back(std::move(row));
  return {};
}

void set_distances(ModelsAnswer& answer) {
  for (const ModelRow& reference : answer.rows) {
    if (reference.name != predict::reference_predictor || !reference.prediction)
      continue;
    for (ModelRow& row : answer.rows)
      if (row.prediction)
        row.to_simulator = row.prediction->time_ms / reference.prediction->time_ms - 1;
  }
}

Result<void> check_mapper(const ModelInput& input, const ModelsOptions& options) {
  if (options.context_independent && !input.independent_facts)
    return fail(ErrorCode::bad_input, "a facts file has the numbers of one mapper only", "--mapper",
                "give the source and its launch");
  return {};
}

/// Whose throughput over resident groups can be drawn: whoever needs nothing but the model facts.
bool follows_occupancy(const Predictor& predictor) {
  return predictor.needs.model_facts && !predictor.needs.trace;
}

} // namespace

Result<ModelsAnswer> evaluate_models(const ModelInput& input, const ModelsOptions& options) {
  const Choice choice(options.models);
  FOREWARP_TRY(choice.check());
  FOREWARP_TRY(predict::scheduler_named(options.scheduler));
  FOREWARP_TRY(check_mapper(input, options));
  const View view(input, options.context_independent);
  ModelsAnswer answer;
  for (const Predictor& predictor : predict::predictors()) {
    const bool reference = predictor.name == predict::reference_predictor; // distances refer to it
    const bool wanted = choice.wants(predictor.name);
    const bool has_facts = predict::check_needs(predictor, view.set).has_value();
    if (!reference && (!wanted || (!choice.by_name() && !has_facts)))
      continue;
    const Clock::time_point start = Clock::now();
    auto result = predict::answer(predictor, view.set, {.scheduler = options.scheduler});
    if (!predictor.simulates)
      answer.models_seconds += seconds_since(start);
    FOREWARP_TRY(add_row(answer, predictor, std::move(result), choice.by_name() && wanted));
  }
  set_distances(answer);
  std::erase_if(answer.rows, [&](const ModelRow& row) { return !choice.wants(row.name); });
  return answer;
}

Result<Sweep> sweep_occupancy(const ModelInput& input, const ModelsOptions& options) {
  const Choice choice(options.models);
  FOREWARP_TRY(choice.check());
  FOREWARP_TRY(predict::scheduler_named(options.scheduler));
  FOREWARP_TRY(check_mapper(input, options));
  const View view(input, options.context_independent);
  Sweep sweep;
  const auto most = static_cast<unsigned>(std::max(1.0, std::floor(input.facts.concurrent_groups)));
  for (unsigned gamma = 1; gamma <= most; ++gamma)
    sweep.concurrent_warps.push_back(gamma * input.facts.warps_per_group);
  constexpr double refused = std::numeric_limits<double>::quiet_NaN();
  for (const Predictor& predictor : predict::predictors()) {
    if (!choice.wants(predictor.name) || !follows_occupancy(predictor))
      continue;
    Sweep::Series series{predictor.name, {}};
    for (unsigned gamma = 1; gamma <= most; ++gamma) {
      const auto answer =
          predict::answer(predictor, view.set,
                          {.concurrent_groups = static_cast<double>(gamma), .scheduler = options.scheduler});
      if (!answer && choice.by_name())
        return tl::unexpected<Error>(answer.error());
      series.warps_per_cycle.push_back(answer ? answer->sm->warps_per_cycle : refused);
    }
    sweep.series.push_back(std::move(series));
  }
  return sweep;
}

} // namespace forewarp::engine
