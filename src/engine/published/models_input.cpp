#include "engine/open_arguments/open_launch.h"
#include "engine/predictor_facts.h"
#include "engine/published/models.h"

namespace forewarp::engine {
namespace {

void add(std::vector<facts::Note>& to, const std::vector<facts::Note>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What the published models and the default predictor need.
constexpr predict::Needs needs_of_models = {.model_facts = true, .independent_facts = true, .trace = true};

Result<ModelInput> input_of(const PredictRequest& request, const Target& target,
                            const std::shared_ptr<const SampledRun>& run) {
  StageSeconds unused;
  auto gathered = gather(needs_of_models, request, target, run, unused);
  FOREWARP_TRY(gathered);
  auto facts = std::make_shared<GatheredFacts>(*std::move(gathered));
  ModelInput input;
  input.machine = *target.machine;
  input.requested = target.choice->requested;
  input.facts = *std::move(facts->model);
  input.facts.kernel = target.compiled->kernel->name;
  input.independent_facts = std::move(facts->independent);
  if (!target.choice->note.empty())
    input.notes.push_back({facts::Note::Severity::info, target.choice->note});
  add(input.notes, facts->model_notes);
  add(input.notes, target.compiled->module.notes);
  add(input.notes, facts->run->trace.notes);
  add(input.notes, target.program->notes);
  add(input.notes, facts->profile.notes);
  input.traced = std::move(facts);
  return input;
}

} // namespace

Result<std::vector<ModelInput>> model_inputs(const PredictRequest& request) {
  Planner planner;
  return model_inputs(request, planner);
}

Result<std::vector<ModelInput>> model_inputs(const PredictRequest& request, Planner& planner) {
  say(request, "compiling " + request.compile.path);
  auto targets = planner.plan(request);
  FOREWARP_TRY(targets);
  say(request, "running sampled work-groups");
  RunStore store;
  const auto runs = run_all(request, *targets, store);
  if (!runs)
    return tl::unexpected(with_found_arguments(runs.error(), request, planner));
  FOREWARP_TRY(count_slow_divisions(request, *runs, planner, *targets));
  std::vector<ModelInput> inputs;
  for (const Target& target : *targets) {
    say(request, "facts for " + target.machine->name);
    auto input = input_of(request, target, runs->at(target.compiled.get()));
    FOREWARP_TRY(input);
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

Result<ModelInput> model_input(facts::ModelFacts facts, const gpu::GpuChoice& choice,
                               const PredictRequest& request) {
  auto machine = gpu::resolve(choice.file, request.value_set);
  FOREWARP_TRY(machine);
  if (request.sm_clock_mhz_given > 0)
    machine->sm_clock_mhz = request.sm_clock_mhz_given;
  ModelInput input;
  input.machine = *std::move(machine);
  input.requested = choice.requested;
  input.facts = std::move(facts);
  return input;
}

} // namespace forewarp::engine
