#include "engine/plan.h"

#include "analysis/occupancy.h"
#include "codegen/machine_step.h"
#include "simt/run.h"

namespace forewarp::engine {
namespace {

Result<gpu::Machine> machine_for(const PredictRequest& request, const gpu::GpuChoice& choice) {
  auto machine = gpu::resolve(choice.file, request.value_set);
  FOREWARP_TRY(machine);
  if (request.sm_clock_mhz_given > 0)
    machine->sm_clock_mhz = request.sm_clock_mhz_given;
  return machine;
}

Result<facts::MachineProgram> lower_for(const PredictRequest& request, const Target& target) {
  codegen::MachineStepOptions options;
  options.group_threads = static_cast<unsigned>(target.shape.group_size.count());
  if (request.registers_from_ptxas)
    options.registers = codegen::MachineStepOptions::Registers::ptxas;
  auto program = codegen::lower(target.compiled->module, *target.compiled->kernel, target.machine, options);
  FOREWARP_TRY(program);
  if (request.registers_given > 0) {
    program->resources.registers_per_thread = request.registers_given;
    program->resources.source = "given";
  }
  return program;
}

Result<Target> prepare(const PredictRequest& request, const gpu::GpuChoice& choice, CompileCache& cache) {
  Target target;
  target.choice = &choice;
  auto machine = machine_for(request, choice);
  FOREWARP_TRY(machine);
  target.machine = std::move(*machine);
  auto compiled = cache.get(request, target.machine);
  FOREWARP_TRY(compiled);
  target.compiled = std::move(*compiled);
  auto shape = simt::resolve_shape(target.compiled->module, *target.compiled->kernel, request.launch);
  FOREWARP_TRY(shape);
  target.shape = *shape;
  auto program = lower_for(request, target);
  FOREWARP_TRY(program);
  target.program = std::move(*program);
  auto occupancy = analysis::occupancy(target.machine, target.program.resources, target.shape);
  FOREWARP_TRY(occupancy);
  target.occupancy = *occupancy;
  return target;
}

} // namespace

Result<std::vector<Target>> plan(const PredictRequest& request, CompileCache& cache) {
  if (request.gpus.empty())
    return fail(ErrorCode::usage, "no GPU was named", "--gpu",
                "name one or more, e.g. --gpu v100,h200; `forewarp gpus` lists them");
  std::vector<Target> targets;
  for (const gpu::GpuChoice& choice : request.gpus) {
    auto target = prepare(request, choice, cache);
    FOREWARP_TRY(target);
    targets.push_back(std::move(*target));
  }
  return targets;
}

} // namespace forewarp::engine
