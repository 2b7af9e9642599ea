#include "engine/predict.h"

#include "codegen/pruned_ir.h"
#include "engine/analytical_times.h"
#include "engine/hybrid/hybrid.h"
#include "engine/session.h"
#include "engine/wang2019/wang2019.h"

#include <algorithm>
#include <map>

namespace forewarp::engine {
namespace {

/// Traces by module: shared by every GPU that runs the same one.
using Traces = std::map<const CompiledKernel*, facts::KernelTrace>;

/// Groups that the largest of the GPUs holds at one time: the trace's sample covers them.
unsigned first_wave(const std::vector<Target>& targets, const CompiledKernel* compiled) {
  unsigned most = 0;
  for (const Target& target : targets)
    if (target.compiled.get() == compiled)
      most = std::max(most, target.occupancy.active_groups_per_sm * target.machine.sm_count);
  return most;
}

Result<Traces> trace_all(const PredictRequest& request, const std::vector<Target>& targets) {
  Traces traces;
  for (const Target& target : targets) {
    const CompiledKernel* compiled = target.compiled.get();
    if (traces.contains(compiled))
      continue;
    simt::RunOptions options = request.run;
    options.first_wave_groups = first_wave(targets, compiled);
    auto run = simt::run(compiled->module, *compiled->kernel, request.launch, options);
    FOREWARP_TRY(run);
    traces.emplace(compiled, std::move(run->trace));
  }
  return traces;
}

void add_notes(facts::Prediction& prediction, const std::vector<facts::Note>& notes) {
  for (const facts::Note& note : notes) {
    prediction.notes.push_back(note);
    if (note.severity == facts::Note::Severity::invalid)
      prediction.valid = false;
  }
}

/// `model_ms`: where to put the published models' times; may be null.
Result<facts::Prediction> predict_one(const PredictRequest& request, const Target& target,
                                      const facts::KernelTrace& trace,
                                      std::map<std::string, double>* model_ms) {
  memory::ProfileOptions options;
  options.cache = request.cache;
  options.active_groups_per_sm = target.occupancy.active_groups_per_sm;
  options.shared_bytes_per_group =
      target.program.resources.static_shared_bytes + target.shape.dynamic_shared_bytes;
  const bool wang = request.model == "wang2019";
  const gpu::Machine machine = wang ? wang2019::without_l1(target.machine) : target.machine;
  auto profile = memory::profile(trace, target.program.sites, machine, options);
  FOREWARP_TRY(profile);
  const facts::MachineProgram pruned =
      wang ? codegen::prune_ir(target.compiled->module, *target.compiled->kernel, target.program.sites)
           : facts::MachineProgram{};
  const hybrid::Facts facts{machine, wang ? pruned : target.program, trace, *profile, target.occupancy};
  auto prediction = wang ? wang2019::predict(facts) : hybrid::predict(facts);
  FOREWARP_TRY(prediction);
  if (model_ms != nullptr) {
    auto times = analytical_times(target, facts);
    FOREWARP_TRY(times);
    *model_ms = *std::move(times);
  }
  prediction->kernel = target.compiled->kernel->name;
  prediction->source = request.compile.path;
  prediction->gpu = target.machine.name;
  prediction->gpu_requested = target.choice->requested;
  prediction->value_set = target.machine.value_set;
  prediction->model = request.model;
  prediction->shape = target.shape;
  prediction->resources = target.program.resources;
  prediction->files = target.program.files;
  prediction->assumed_gpu_values = target.machine.assumed;
  if (!target.choice->note.empty())
    prediction->notes.push_back({facts::Note::Severity::info, target.choice->note});
  add_notes(*prediction, trace.notes);
  add_notes(*prediction, target.program.notes);
  add_notes(*prediction, profile->notes);
  return prediction;
}

/// `add` takes each target and the module's trace, in the order asked for.
template <class Add>
Result<void> for_targets(const PredictRequest& request, CompileCache& cache, const Add& add) {
  if (request.model != "hybrid" && request.model != "wang2019")
    return fail(ErrorCode::usage, "unknown model '" + request.model + "'", "--model",
                "models are hybrid, wang2019");
  const auto say = [&](const std::string& what) {
    if (request.progress)
      request.progress(what);
  };
  say("compiling " + request.compile.path);
  auto targets = plan(request, cache);
  FOREWARP_TRY(targets);
  say("running sampled work-groups");
  auto traces = trace_all(request, *targets);
  FOREWARP_TRY(traces);
  for (const Target& target : *targets) {
    say("predicting " + target.machine.name);
    FOREWARP_TRY(add(target, traces->at(target.compiled.get())));
  }
  return {};
}

} // namespace

Result<std::vector<facts::Prediction>> Session::predict(const PredictRequest& request) {
  std::vector<facts::Prediction> predictions;
  const auto add = [&](const Target& target, const facts::KernelTrace& trace) -> Result<void> {
    auto prediction = predict_one(request, target, trace, nullptr);
    FOREWARP_TRY(prediction);
    predictions.push_back(std::move(*prediction));
    return {};
  };
  FOREWARP_TRY(for_targets(request, cache_, add));
  return predictions;
}

Result<std::vector<WithModels>> Session::predict_with_models(const PredictRequest& request) {
  std::vector<WithModels> answers;
  const auto add = [&](const Target& target, const facts::KernelTrace& trace) -> Result<void> {
    std::map<std::string, double> model_ms;
    auto prediction = predict_one(request, target, trace, &model_ms);
    FOREWARP_TRY(prediction);
    answers.push_back({std::move(*prediction), std::move(model_ms)});
    return {};
  };
  FOREWARP_TRY(for_targets(request, cache_, add));
  return answers;
}

Result<std::vector<facts::Prediction>> predict(const PredictRequest& request) {
  return Session().predict(request);
}

} // namespace forewarp::engine
