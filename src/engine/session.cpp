#include "engine/session.h"

#include "analysis/occupancy.h"
#include "engine/open_arguments/open_launch.h"
#include "engine/predictor_facts.h"
#include "engine/triton_metadata.h"
#include "predict/traced/streams/simulation_store.h"
#include "support/named.h"
#include "support/thread_time.h"

#include <cmath>
#include <fmt/format.h>

namespace forewarp::engine {
namespace {

void add_notes(facts::Prediction& prediction, const std::vector<facts::Note>& notes) {
  for (const facts::Note& note : notes) {
    prediction.notes.push_back(note);
    if (note.severity == facts::Note::Severity::invalid)
      prediction.valid = false;
  }
}

/// Names, launch and notes: what a predictor is not told.
void complete(facts::Prediction& prediction, const PredictRequest& request, const Target& target,
              const GatheredFacts& facts) {
  prediction.kernel = target.compiled->kernel->name;
  prediction.source = request.compile.path;
  prediction.gpu = target.machine->name;
  prediction.gpu_requested = target.choice->requested;
  prediction.value_set = target.machine->value_set;
  prediction.model = request.model;
  prediction.shape = target.shape;
  prediction.resources = target.program->resources;
  prediction.files = target.program->files;
  prediction.assumed_gpu_values = target.machine->assumed;
  if (!target.choice->note.empty())
    prediction.notes.push_back({facts::Note::Severity::info, target.choice->note});
  if (const auto taken = analysis::registers_taken(*target.machine, target.program->resources, target.shape))
    prediction.notes.push_back(
        {facts::Note::Severity::assumption,
         fmt::format(
             "{:.0f} registers a thread are estimated, with which not one group fits: {} are taken, which "
             "fit",
             target.program->resources.registers_per_thread, *taken),
         {},
         "give the registers that the compiler says: --registers N, or --registers ptxas"});
  add_notes(prediction, target.compiled->module.notes);
  add_notes(prediction, facts.run->trace.notes);
  add_notes(prediction, target.program->notes);
  add_notes(prediction, facts.profile.notes);
}

/// Closed form's name -> milliseconds: the baselines of a validation.
Result<std::map<std::string, double>> closed_form_times(const Target& target, GatheredFacts& facts) {
  FOREWARP_TRY(add_model_facts(false, target, facts));
  const predict::FactSet set{*facts.machine, &*facts.model};
  std::map<std::string, double> times;
  for (const predict::Predictor& predictor : predict::predictors()) {
    if (predictor.simulates)
      continue;
    const auto answer = predict::answer(predictor, set);
    if (answer && std::isfinite(answer->time_ms) && answer->time_ms > 0)
      times.emplace(predictor.name, answer->time_ms);
  }
  return times;
}

Result<const predict::Predictor*> predictor_of(const PredictRequest& request) {
  const predict::Predictor* predictor = find_row(predict::predictors(), request.model);
  if (predictor != nullptr && predictor->gives.prediction)
    return predictor;
  return refuse_name({"unknown model", "--model"}, request.model,
                     predict::predictor_names(predict::gives_prediction));
}

} // namespace

struct Session::Kept {
  Planner planner;
  RunStore runs;
  StageSeconds seconds;
  SharedSimulations simulations;

  /// `model_ms`: where to put the closed forms' times; may be null.
  Result<facts::Prediction> predict_one(const predict::Predictor& predictor, const PredictRequest& request,
                                        const Target& target, const std::shared_ptr<const SampledRun>& run,
                                        std::map<std::string, double>* model_ms) {
    auto facts = gather(predictor.needs, request, target, run, seconds);
    FOREWARP_TRY(facts);
    const predict::TracedFacts traced = facts->traced();
    const predict::FactSet set{*facts->machine, facts->model ? &*facts->model : nullptr,
                               facts->independent ? &*facts->independent : nullptr, &traced};
    const predict::hybrid::KeptSimulations kept{simulations.get(), target.program_content};
    auto answer = timed(seconds.simulation, [&] { return predict::answer(predictor, set, {.kept = &kept}); });
    FOREWARP_TRY(answer);
    if (model_ms != nullptr) {
      auto times = timed(seconds.models, [&] { return closed_form_times(target, *facts); });
      FOREWARP_TRY(times);
      *model_ms = *std::move(times);
    }
    facts::Prediction prediction = *std::move(answer->prediction);
    complete(prediction, request, target, *facts);
    return prediction;
  }

  /// `add` takes each prediction, in the order asked for, and the closed forms' times if they are wanted.
  /// Gives what was assumed of a launch that left arguments open.
  template <class Add>
  Result<CompletedLaunch> predict_each(const PredictRequest& given, bool with_models, const Add& add) {
    const auto predictor = predictor_of(given);
    FOREWARP_TRY(predictor);
    say(given, "compiling " + given.compile.path);
    auto targets = timed(seconds.compile, [&] { return planner.plan(given); });
    FOREWARP_TRY(targets);
    auto open = timed(seconds.run, [&] { return complete_open(given, planner, *targets); });
    FOREWARP_TRY(open);
    const PredictRequest& request = *open ? (*open)->request : given;
    say(request, "running sampled work-groups");
    auto sampled = timed(seconds.run, [&] { return run_all(request, *targets, runs); });
    if (!sampled)
      return tl::unexpected(told_of_triton_metadata(std::move(sampled).error(), request));
    FOREWARP_TRY(count_slow_divisions(request, *sampled, planner, *targets));
    for (const Target& target : *targets) {
      say(request, "predicting " + target.machine->name);
      std::map<std::string, double> model_ms;
      auto prediction = predict_one(**predictor, request, target, sampled->at(target.compiled.get()),
                                    with_models ? &model_ms : nullptr);
      FOREWARP_TRY(prediction);
      add(*std::move(prediction), std::move(model_ms));
    }
    return *open ? std::move((*open)->completed) : CompletedLaunch{};
  }
};

SharedSimulations shared_simulations() {
  return std::make_shared<predict::hybrid::SimulationStore>();
}

Session::Session(SharedSimulations simulations, std::size_t kept_runs)
    : kept_(std::make_unique<Kept>(Planner{}, RunStore(kept_runs), StageSeconds{}, std::move(simulations))) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<std::vector<facts::Prediction>> Session::predict(const PredictRequest& request) {
  std::vector<facts::Prediction> predictions;
  const auto completed = kept_->predict_each(request, false, [&](facts::Prediction prediction, const auto&) {
    predictions.push_back(std::move(prediction));
  });
  FOREWARP_TRY(completed);
  FOREWARP_TRY(tell_guesses(
      request, *completed, [this](const PredictRequest& other) { return predict(other); }, predictions));
  return predictions;
}

Result<std::vector<WithModels>> Session::predict_with_models(const PredictRequest& request) {
  std::vector<WithModels> answers;
  FOREWARP_TRY(kept_->predict_each(request, true, [&](facts::Prediction prediction, auto model_ms) {
    answers.push_back({std::move(prediction), std::move(model_ms)});
  }));
  return answers;
}

Result<std::uint64_t> Session::module_number(const PredictRequest& request, std::size_t gpu) {
  return kept_->planner.module_number(request, request.gpus[gpu]);
}

const CompileCache& Session::compiled() const {
  return kept_->planner.modules();
}
std::size_t Session::machine_steps() const {
  return kept_->planner.machine_steps();
}
std::size_t Session::sampled_runs() const {
  return kept_->runs.runs();
}
const predict::hybrid::SimulationStore& Session::simulations() const {
  return *kept_->simulations;
}
const StageSeconds& Session::stage_seconds() const {
  return kept_->seconds;
}

Result<std::vector<facts::Prediction>> predict(const PredictRequest& request) {
  return Session().predict(request);
}

} // namespace forewarp::engine
