#include "engine/hybrid/hybrid.h"
#include "engine/model_facts/build.h"
#include "engine/models.h"
#include "engine/stages.h"

namespace forewarp::engine {
namespace {

void add(std::vector<facts::Note>& to, const std::vector<facts::Note>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Result<ModelInput> input_of(const PredictRequest& request, const Target& target, const SampledRun& run) {
  const facts::KernelTrace& trace = run.trace;
  auto profile = profile_of(request, target, *target.machine, run);
  FOREWARP_TRY(profile);
  const hybrid::Facts facts{*target.machine, *target.program, trace, *profile, target.occupancy};
  const model_facts::ControlFlow flow =
      model_facts::control_flow(target.compiled->module, *target.compiled->kernel);
  ModelInput input;
  auto built = model_facts::build(facts, flow, model_facts::Mapper::context_dependent);
  FOREWARP_TRY(built);
  auto independent = model_facts::build(facts, flow, model_facts::Mapper::context_independent);
  FOREWARP_TRY(independent);
  auto prediction = hybrid::predict(facts);
  FOREWARP_TRY(prediction);
  input.machine = *target.machine;
  input.requested = target.choice->requested;
  input.facts = std::move(built->facts);
  input.facts.kernel = target.compiled->kernel->name;
  input.independent_facts = std::move(independent->facts);
  input.hybrid = std::move(*prediction);
  if (!target.choice->note.empty())
    input.notes.push_back({facts::Note::Severity::info, target.choice->note});
  add(input.notes, built->notes);
  add(input.notes, target.compiled->module.notes);
  add(input.notes, trace.notes);
  add(input.notes, target.program->notes);
  add(input.notes, profile->notes);
  return input;
}

} // namespace

Result<std::vector<ModelInput>> model_inputs(const PredictRequest& request) {
  Planner planner;
  say(request, "compiling " + request.compile.path);
  auto targets = planner.plan(request);
  FOREWARP_TRY(targets);
  say(request, "running sampled work-groups");
  RunStore store;
  const auto runs = run_all(request, *targets, store);
  FOREWARP_TRY(runs);
  FOREWARP_TRY(count_slow_divisions(request, *runs, planner, *targets));
  std::vector<ModelInput> inputs;
  for (const Target& target : *targets) {
    say(request, "facts for " + target.machine->name);
    auto input = input_of(request, target, *runs->at(target.compiled.get()));
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
