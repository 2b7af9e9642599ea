#include "engine/plan.h"

#include "analysis/occupancy.h"
#include "codegen/machine_step.h"
#include "frontend/compile.h"
#include "simt/run.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace forewarp::engine {
namespace {

/// OpenCL's IR does not depend on the NVIDIA generation (technical notes, section 2), nor does given LLVM IR;
/// CUDA's may, by __CUDA_ARCH__.
constexpr const char* common_nvidia_target = "sm_75";

ir::TargetFamily family_of(const gpu::Machine& machine) {
  return machine.vendor == "amd" ? ir::TargetFamily::amd : ir::TargetFamily::nvidia;
}

std::string compile_target(const std::string& path, const gpu::Machine& machine) {
  const bool cuda = path.ends_with(".cu");
  return family_of(machine) == ir::TargetFamily::nvidia && !cuda ? common_nvidia_target : machine.target;
}

Result<std::unique_ptr<CompiledKernel>> compile_for(const PredictRequest& request,
                                                    const gpu::Machine& machine) {
  frontend::CompileRequest compile = request.compile;
  compile.family = family_of(machine);
  compile.target = compile_target(request.compile.path, machine);
  compile.warp_width = machine.warp_width;
  auto module = frontend::compile(compile);
  FOREWARP_TRY(module);
  auto compiled = std::make_unique<CompiledKernel>(CompiledKernel{std::move(*module), nullptr, {}});
  auto kernel = frontend::select_kernel(compiled->module, request.kernel);
  FOREWARP_TRY(kernel);
  compiled->kernel = *kernel;
  auto shape = simt::resolve_shape(compiled->module, **kernel, request.launch);
  FOREWARP_TRY(shape);
  compiled->shape = *shape;
  return compiled;
}

Result<void> lower_for(const PredictRequest& request, const CompiledKernel& compiled, Target& target) {
  codegen::MachineStepOptions options;
  options.group_threads = static_cast<unsigned>(compiled.shape.group_size.count());
  if (request.registers_from_ptxas)
    options.registers = codegen::MachineStepOptions::Registers::ptxas;
  auto program = codegen::lower(compiled.module, *compiled.kernel, target.machine, options);
  FOREWARP_TRY(program);
  target.program = std::move(*program);
  if (request.registers_given > 0) {
    target.program.resources.registers_per_thread = request.registers_given;
    target.program.resources.source = "given";
  }
  auto occupancy = analysis::occupancy(target.machine, target.program.resources, compiled.shape);
  FOREWARP_TRY(occupancy);
  target.occupancy = *occupancy;
  return {};
}

} // namespace

Result<Plan> plan(const PredictRequest& request) {
  if (request.gpus.empty())
    return fail(ErrorCode::usage, "no GPU was named", "--gpu",
                "name one or more, e.g. --gpu v100,h200; `forewarp gpus` lists them");
  Plan result;
  std::map<std::tuple<ir::TargetFamily, std::string, unsigned>, std::size_t> known;
  for (const gpu::GpuChoice& choice : request.gpus) {
    Target target;
    target.choice = &choice;
    auto machine = gpu::resolve(choice.file, request.value_set);
    FOREWARP_TRY(machine);
    target.machine = std::move(*machine);
    if (request.sm_clock_mhz_given > 0)
      target.machine.sm_clock_mhz = request.sm_clock_mhz_given;
    const auto key =
        std::make_tuple(family_of(target.machine), compile_target(request.compile.path, target.machine),
                        target.machine.warp_width);
    auto found = known.find(key);
    if (found == known.end()) {
      auto compiled = compile_for(request, target.machine);
      FOREWARP_TRY(compiled);
      found = known.emplace(key, result.compiled.size()).first;
      result.compiled.push_back(std::move(*compiled));
    }
    target.compiled = found->second;
    FOREWARP_TRY(lower_for(request, *result.compiled[target.compiled], target));
    result.targets.push_back(std::move(target));
  }
  return result;
}

} // namespace forewarp::engine
