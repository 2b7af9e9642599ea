#include "engine/predict.h"

#include "engine/hybrid/hybrid.h"
#include "engine/plan.h"

#include <algorithm>
#include <optional>

namespace forewarp::engine {
namespace {

/// Groups that the largest of the GPUs holds at one time: the trace's sample covers them.
unsigned first_wave(const Plan& plan, std::size_t compiled) {
  unsigned most = 0;
  for (const Target& target : plan.targets)
    if (target.compiled == compiled)
      most = std::max(most, target.occupancy.active_groups_per_sm * target.machine.sm_count);
  return most;
}

/// Traces are shared by every GPU that runs the same module.
Result<std::vector<facts::KernelTrace>> trace_all(const PredictRequest& request, const Plan& plan) {
  std::vector<facts::KernelTrace> traces;
  for (std::size_t c = 0; c < plan.compiled.size(); ++c) {
    simt::RunOptions options = request.run;
    options.first_wave_groups = first_wave(plan, c);
    auto run = simt::run(plan.compiled[c]->module, *plan.compiled[c]->kernel, request.launch, options);
    FOREWARP_TRY(run);
    traces.push_back(std::move(run->trace));
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

Result<facts::Prediction> predict_one(const PredictRequest& request, const Target& target,
                                      const CompiledKernel& compiled, const facts::KernelTrace& trace) {
  memory::ProfileOptions options;
  options.cache = request.cache;
  options.active_groups_per_sm = target.occupancy.active_groups_per_sm;
  options.shared_bytes_per_group =
      target.program.resources.static_shared_bytes + compiled.shape.dynamic_shared_bytes;
  auto profile = memory::profile(trace, target.program.sites, target.machine, options);
  FOREWARP_TRY(profile);
  auto prediction = hybrid::predict({target.machine, target.program, trace, *profile, target.occupancy});
  FOREWARP_TRY(prediction);
  prediction->kernel = compiled.kernel->name;
  prediction->source = request.compile.path;
  prediction->gpu = target.machine.name;
  prediction->gpu_requested = target.choice->requested;
  prediction->value_set = target.machine.value_set;
  prediction->model = request.model;
  prediction->shape = compiled.shape;
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

} // namespace

Result<std::vector<facts::Prediction>> predict(const PredictRequest& request) {
  auto planned = plan(request);
  FOREWARP_TRY(planned);
  auto traces = trace_all(request, *planned);
  FOREWARP_TRY(traces);
  std::vector<facts::Prediction> predictions;
  for (const Target& target : planned->targets) {
    auto prediction =
        predict_one(request, target, *planned->compiled[target.compiled], (*traces)[target.compiled]);
    FOREWARP_TRY(prediction);
    predictions.push_back(std::move(*prediction));
  }
  return predictions;
}

} // namespace forewarp::engine
