// The facts that a predictor asks for (predict::Needs), gathered for one target.
#pragma once

#include "engine/stages.h"
#include "predict/traced/traced_facts.h"

#include <memory>
#include <optional>

namespace forewarp::engine {

/// Owns or shares all that a FactSet points to.
struct GatheredFacts {
  std::shared_ptr<const gpu::Machine> machine; ///< in the form asked for
  std::shared_ptr<const facts::MachineProgram> program;
  std::shared_ptr<const SampledRun> run;
  facts::MemoryProfile profile;
  facts::Occupancy occupancy;
  facts::Shortcuts shortcuts;
  predict::ProgramForm program_form = predict::ProgramForm::machine_step;
  predict::MachineForm machine_form = predict::MachineForm::as_given;
  gpu::LatencyCurves latencies;
  std::optional<facts::ModelFacts> model, independent;
  std::vector<facts::Note> model_notes; ///< of making `model`

  predict::TracedFacts traced() const {
    return {*machine,     *program,     run->trace, profile,  occupancy,
            program_form, machine_form, shortcuts,  latencies};
  }
};

/// Trace, program, machine and memory profile in the forms that `needs` names, and the model facts that it
/// asks for. `seconds`: where to add the time that each stage took.
Result<GatheredFacts> gather(const predict::Needs& needs, const PredictRequest& request, const Target& target,
                             std::shared_ptr<const SampledRun> run, StageSeconds& seconds);
/// Adds the model facts to what was gathered in the machine step's form.
Result<void> add_model_facts(bool independent, const Target& target, GatheredFacts& facts);

} // namespace forewarp::engine
