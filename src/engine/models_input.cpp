#include "engine/hybrid/hybrid.h"
#include "engine/model_facts/build.h"
#include "engine/models.h"
#include "engine/plan.h"
#include "memory/profile.h"
#include "simt/run.h"

#include <algorithm>
#include <map>

namespace forewarp::engine {
namespace {

void add(std::vector<facts::Note>& to, const std::vector<facts::Note>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

Result<facts::KernelTrace> trace_of(const PredictRequest& request, const std::vector<Target>& targets,
                                    const CompiledKernel& compiled) {
  simt::RunOptions options = request.run;
  for (const Target& target : targets)
    if (target.compiled.get() == &compiled)
      options.first_wave_groups = std::max(options.first_wave_groups,
                                           target.occupancy.active_groups_per_sm * target.machine.sm_count);
  auto run = simt::run(compiled.module, *compiled.kernel, request.launch, options);
  FOREWARP_TRY(run);
  return std::move(run->trace);
}

Result<ModelInput> input_of(const PredictRequest& request, const Target& target,
                            const facts::KernelTrace& trace) {
  memory::ProfileOptions options;
  options.cache = request.cache;
  options.active_groups_per_sm = target.occupancy.active_groups_per_sm;
  options.shared_bytes_per_group =
      target.program.resources.static_shared_bytes + target.shape.dynamic_shared_bytes;
  auto profile = memory::profile(trace, target.program.sites, target.machine, options);
  FOREWARP_TRY(profile);
  const hybrid::Facts facts{target.machine, target.program, trace, *profile, target.occupancy};
  const model_facts::ControlFlow flow =
      model_facts::control_flow(target.compiled->module, *target.compiled->kernel);
  ModelInput input;
  auto built = model_facts::build(facts, flow, model_facts::Mapper::context_dependent);
  FOREWARP_TRY(built);
  auto independent = model_facts::build(facts, flow, model_facts::Mapper::context_independent);
  FOREWARP_TRY(independent);
  auto prediction = hybrid::predict(facts);
  FOREWARP_TRY(prediction);
  input.machine = target.machine;
  input.requested = target.choice->requested;
  input.facts = std::move(built->facts);
  input.facts.kernel = target.compiled->kernel->name;
  input.independent_facts = std::move(independent->facts);
  input.hybrid = std::move(*prediction);
  if (!target.choice->note.empty())
    input.notes.push_back({facts::Note::Severity::info, target.choice->note});
  add(input.notes, built->notes);
  add(input.notes, trace.notes);
  add(input.notes, target.program.notes);
  add(input.notes, profile->notes);
  return input;
}

} // namespace

Result<std::vector<ModelInput>> model_inputs(const PredictRequest& request) {
  const auto say = [&](const std::string& what) {
    if (request.progress)
      request.progress(what);
  };
  CompileCache cache;
  say("compiling " + request.compile.path);
  auto targets = plan(request, cache);
  FOREWARP_TRY(targets);
  say("running sampled work-groups");
  std::map<const CompiledKernel*, facts::KernelTrace> traces; // looked up, never walked
  std::vector<ModelInput> inputs;
  for (const Target& target : *targets) {
    const CompiledKernel* compiled = target.compiled.get();
    if (!traces.contains(compiled)) {
      auto trace = trace_of(request, *targets, *compiled);
      FOREWARP_TRY(trace);
      traces.emplace(compiled, *std::move(trace));
    }
    say("facts for " + target.machine.name);
    auto input = input_of(request, target, traces.at(compiled));
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
