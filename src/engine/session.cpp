#include "engine/predict.h"

#include "codegen/pruned_ir.h"
#include "engine/analytical_times.h"
#include "engine/hybrid/hybrid.h"
#include "engine/session.h"
#include "engine/stages.h"
#include "engine/wang2019/wang2019.h"
#include "support/thread_time.h"

namespace forewarp::engine {
namespace {

void add_notes(facts::Prediction& prediction, const std::vector<facts::Note>& notes) {
  for (const facts::Note& note : notes) {
    prediction.notes.push_back(note);
    if (note.severity == facts::Note::Severity::invalid)
      prediction.valid = false;
  }
}

/// `model_ms`: where to put the published models' times; may be null.
Result<facts::Prediction> predict_one(const PredictRequest& request, const Target& target,
                                      const SampledRun& run, hybrid::SimulationStore& simulations,
                                      StageSeconds& seconds, std::map<std::string, double>* model_ms) {
  const bool each_transaction = request.model == "wang2019_transactions";
  const bool wang = request.model == "wang2019" || each_transaction;
  const gpu::Machine other = wang ? wang2019::without_l1(*target.machine) : gpu::Machine{};
  const gpu::Machine& machine = wang ? other : *target.machine;
  const facts::MachineProgram& program = *target.program;
  const facts::KernelTrace& trace = run.trace;
  auto profile = timed(seconds.memory, [&] { return profile_of(request, target, machine, run); });
  FOREWARP_TRY(profile);
  const facts::MachineProgram pruned =
      wang ? codegen::prune_ir(target.compiled->module, *target.compiled->kernel, program.sites)
           : facts::MachineProgram{};
  const hybrid::Facts facts{machine, wang ? pruned : program, trace, *profile, target.occupancy};
  auto prediction = timed(seconds.simulation, [&] {
    return wang ? wang2019::predict(facts, each_transaction ? wang2019::Hold::each_transaction
                                                            : wang2019::Hold::once)
                : hybrid::predict(facts, {&simulations, target.program_content});
  });
  FOREWARP_TRY(prediction);
  if (model_ms != nullptr) {
    auto times = timed(seconds.models, [&] { return analytical_times(target, facts); });
    FOREWARP_TRY(times);
    *model_ms = *std::move(times);
  }
  prediction->kernel = target.compiled->kernel->name;
  prediction->source = request.compile.path;
  prediction->gpu = target.machine->name;
  prediction->gpu_requested = target.choice->requested;
  prediction->value_set = target.machine->value_set;
  prediction->model = request.model;
  prediction->shape = target.shape;
  prediction->resources = program.resources;
  prediction->files = program.files;
  prediction->assumed_gpu_values = target.machine->assumed;
  if (!target.choice->note.empty())
    prediction->notes.push_back({facts::Note::Severity::info, target.choice->note});
  add_notes(*prediction, target.compiled->module.notes);
  add_notes(*prediction, trace.notes);
  add_notes(*prediction, program.notes);
  add_notes(*prediction, profile->notes);
  return prediction;
}

/// `add` takes each target and the module's run, in the order asked for.
template <class Add>
Result<void> for_targets(const PredictRequest& request, Planner& planner, RunStore& kept_runs,
                         StageSeconds& seconds, const Add& add) {
  if (request.model != "hybrid" && request.model != "wang2019" && request.model != "wang2019_transactions")
    return fail(ErrorCode::usage, "unknown model '" + request.model + "'", "--model",
                "models are hybrid, wang2019, wang2019_transactions");
  say(request, "compiling " + request.compile.path);
  auto targets = timed(seconds.compile, [&] { return planner.plan(request); });
  FOREWARP_TRY(targets);
  say(request, "running sampled work-groups");
  auto runs = timed(seconds.run, [&] { return run_all(request, *targets, kept_runs); });
  FOREWARP_TRY(runs);
  FOREWARP_TRY(count_slow_divisions(request, *runs, planner, *targets));
  for (const Target& target : *targets) {
    say(request, "predicting " + target.machine->name);
    FOREWARP_TRY(add(target, *runs->at(target.compiled.get())));
  }
  return {};
}

} // namespace

Result<std::vector<facts::Prediction>> Session::predict(const PredictRequest& request) {
  std::vector<facts::Prediction> predictions;
  const auto add = [&](const Target& target, const SampledRun& run) -> Result<void> {
    auto prediction = predict_one(request, target, run, *simulations_, stage_seconds_, nullptr);
    FOREWARP_TRY(prediction);
    predictions.push_back(std::move(*prediction));
    return {};
  };
  FOREWARP_TRY(for_targets(request, planner_, runs_, stage_seconds_, add));
  return predictions;
}

Result<std::vector<WithModels>> Session::predict_with_models(const PredictRequest& request) {
  std::vector<WithModels> answers;
  const auto add = [&](const Target& target, const SampledRun& run) -> Result<void> {
    std::map<std::string, double> model_ms;
    auto prediction = predict_one(request, target, run, *simulations_, stage_seconds_, &model_ms);
    FOREWARP_TRY(prediction);
    answers.push_back({std::move(*prediction), std::move(model_ms)});
    return {};
  };
  FOREWARP_TRY(for_targets(request, planner_, runs_, stage_seconds_, add));
  return answers;
}

Result<std::uint64_t> Session::module_number(const PredictRequest& request, std::size_t gpu) {
  return planner_.module_number(request, request.gpus[gpu]);
}

Result<std::vector<facts::Prediction>> predict(const PredictRequest& request) {
  return Session().predict(request);
}

} // namespace forewarp::engine
