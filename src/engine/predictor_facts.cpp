#include "engine/predictor_facts.h"

#include "codegen/pruned_ir.h"
#include "gpu/variants.h"
#include "ir/loops/control_flow.h"
#include "predict/model_facts/build.h"
#include "support/thread_time.h"

namespace forewarp::engine {
namespace {

std::shared_ptr<const gpu::Machine> machine_in(predict::MachineForm form, const Target& target) {
  if (form == predict::MachineForm::without_l1)
    return std::make_shared<const gpu::Machine>(gpu::without_l1(*target.machine));
  return target.machine;
}

std::shared_ptr<const facts::MachineProgram> program_in(predict::ProgramForm form, const Target& target) {
  if (form == predict::ProgramForm::pruned_ir)
    return std::make_shared<const facts::MachineProgram>(
        codegen::prune_ir(target.compiled->module, *target.compiled->kernel, target.program->sites));
  return target.program;
}

} // namespace

Result<void> add_model_facts(bool independent, const Target& target, GatheredFacts& facts) {
  namespace model_facts = predict::model_facts;
  const facts::ControlFlow flow = ir::control_flow(target.compiled->module, *target.compiled->kernel);
  const predict::TracedFacts traced = facts.traced();
  auto built = model_facts::build(traced, flow, model_facts::Mapper::context_dependent);
  FOREWARP_TRY(built);
  facts.model = std::move(built->facts);
  facts.model_notes = std::move(built->notes);
  if (independent) {
    auto other = model_facts::build(traced, flow, model_facts::Mapper::context_independent);
    FOREWARP_TRY(other);
    facts.independent = std::move(other->facts);
  }
  return {};
}

Result<GatheredFacts> gather(const predict::Needs& needs, const PredictRequest& request, const Target& target,
                             std::shared_ptr<const SampledRun> run, StageSeconds& seconds) {
  GatheredFacts facts;
  facts.machine = machine_in(needs.machine, target);
  facts.machine_form = needs.machine;
  facts.program = program_in(needs.program, target);
  if (needs.program == predict::ProgramForm::pruned_ir) // the one predictor that looks them up
    facts.latencies = gpu::LatencyCurves(target.choice->file, request.value_set);
  facts.program_form = needs.program;
  facts.occupancy = target.occupancy;
  facts.shortcuts = request.run.shortcuts;
  facts.run = std::move(run);
  auto profile =
      timed(seconds.memory, [&] { return profile_of(request, target, *facts.machine, *facts.run); });
  FOREWARP_TRY(profile);
  facts.profile = *std::move(profile);
  if (needs.model_facts || needs.independent_facts)
    FOREWARP_TRY(add_model_facts(needs.independent_facts, target, facts));
  return facts;
}

} // namespace forewarp::engine
