#include "engine/plan.h"

#include "analysis/occupancy.h"
#include "codegen/machine_step.h"
#include "engine/triton_metadata.h"
#include "gpu/content_text.h"
#include "ir/machine_markers.h"
#include "lift/lift.h"
#include "simt/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Module.h>

namespace forewarp::engine {
namespace {

/// The first entry that `matches`, moved to the front; null where there is none.
template <class Entry, class Matches> const Entry* used_again(std::list<Entry>& kept, Matches matches) {
  const auto found = std::find_if(kept.begin(), kept.end(), matches);
  if (found == kept.end())
    return nullptr;
  kept.splice(kept.begin(), kept, found);
  return &kept.front();
}

template <class Entry> const Entry& keep(std::list<Entry>& kept, Entry entry, std::size_t capacity) {
  kept.push_front(std::move(entry));
  if (kept.size() > capacity)
    kept.pop_back();
  return kept.front();
}

/// Of everything that makes a machine program and its machine: equal for planners of several threads.
frontend::ContentHash content_of(const PredictRequest& request, const Target& target, unsigned group_threads,
                                 const facts::SlowDivisions& slow) {
  const CompiledKernel& compiled = *target.compiled;
  std::string divisions;
  for (const facts::SlowDivision& division : slow)
    divisions += fmt::format(" {}:{}", division.block, division.instruction);
  return frontend::hash_of(fmt::format(
      "{:x} {:x} {} {} {} {} {} {} {} {} {}{}\n{}", compiled.content[0], compiled.content[1],
      compiled.kernel->symbol, group_threads, request.registers_from_ptxas, request.ignore_control_words,
      request.registers_given, request.frame_bytes_given, request.value_set, request.sm_clock_mhz_given,
      request.cuda_compiler_given, divisions, gpu::content_text(target.choice->file)));
}

Result<void> check_registers(unsigned given, const gpu::Machine& machine) {
  const unsigned most = machine.limits.max_registers_per_thread;
  if (given <= most)
    return {};
  return fail(ErrorCode::launch,
              fmt::format("{} registers are given; a thread of {} has {} at most", given, machine.name, most),
              "--registers", "give a smaller number, or let it be estimated");
}

/// Machine code that asks other groups of its cluster for nothing is lifted as a group alone.
Result<void> check_clusters(const Target& target) {
  if (target.shape.cluster.count() <= 1)
    return {};
  const llvm::Module& module = target.compiled->module.module();
  const llvm::Function* function = module.getFunction(target.compiled->kernel->symbol);
  if (!lift::machine_code_of(module).empty() && function != nullptr &&
      !function->hasFnAttribute(ir::machine_markers::in_cluster))
    return fail(ErrorCode::unsupported,
                "clusters of several groups are modelled in machine code only where it has their barrier or "
                "copies to several of them",
                "--cluster", "predict the source or its PTX, without --code sass");
  if (target.machine->memory.cluster_latency_cycles > 0)
    return {};
  return fail(ErrorCode::launch, fmt::format("{} has no clusters of groups", target.machine->name),
              "--cluster", "NVIDIA GPUs have them from 9.0 (Hopper) on; launch without");
}

/// Groups that wait for ones that cannot start would wait for ever: such a launch is refused by the driver,
/// too.
Result<void> check_residency(const Target& target) {
  const std::uint64_t groups = target.shape.groups.count();
  const std::uint64_t resident =
      static_cast<std::uint64_t>(target.occupancy.active_groups_per_sm) * target.machine->sm_count;
  if (!target.prepared->has_grid_barrier() || groups <= resident)
    return {};
  return fail(
      ErrorCode::launch,
      fmt::format(
          "'{}' has a barrier of the whole grid, but of its {} groups {} can be resident on {} ({} per SM)",
          target.compiled->kernel->name, groups, resident, target.machine->name,
          target.occupancy.active_groups_per_sm),
      "--grid", fmt::format("launch at most {} groups", resident));
}

} // namespace

Result<std::shared_ptr<const gpu::Machine>> Planner::machine_for(const PredictRequest& request,
                                                                 const gpu::GpuChoice& choice) {
  const auto same = [&](const KeptMachine& kept) {
    return kept.value_set == request.value_set && kept.sm_clock_mhz_given == request.sm_clock_mhz_given &&
           kept.cuda_compiler_given == request.cuda_compiler_given && kept.file == choice.file;
  };
  if (const KeptMachine* kept = used_again(machines_, same))
    return kept->machine;
  auto machine = gpu::resolve(choice.file, request.value_set);
  FOREWARP_TRY(machine);
  if (request.sm_clock_mhz_given > 0)
    machine->sm_clock_mhz = request.sm_clock_mhz_given;
  if (!request.cuda_compiler_given.empty())
    machine->compiler.cuda = request.cuda_compiler_given;
  return keep(machines_,
              KeptMachine{choice.file, request.value_set, request.sm_clock_mhz_given,
                          request.cuda_compiler_given,
                          std::make_shared<const gpu::Machine>(*std::move(machine))},
              capacity_)
      .machine;
}

Result<std::shared_ptr<const simt::PreparedKernel>>
Planner::prepared_for(const std::shared_ptr<const CompiledKernel>& compiled) {
  if (const KeptKernel* kept =
          used_again(kernels_, [&](const KeptKernel& k) { return k.compiled == compiled; }))
    return kept->prepared;
  auto prepared = simt::PreparedKernel::prepare(compiled->module, *compiled->kernel);
  FOREWARP_TRY(prepared);
  return keep(kernels_,
              KeptKernel{compiled, std::make_shared<const simt::PreparedKernel>(*std::move(prepared))},
              capacity_)
      .prepared;
}

Result<void> Planner::set_program(const PredictRequest& request, const facts::SlowDivisions& slow,
                                  Target& target) {
  KeptProgram made{target.compiled,
                   target.machine,
                   static_cast<unsigned>(target.shape.group_size.count()),
                   request.registers_from_ptxas,
                   request.ignore_control_words,
                   request.registers_given,
                   request.frame_bytes_given,
                   slow,
                   nullptr,
                   {}};
  const auto same = [&](const KeptProgram& kept) {
    return kept.compiled == made.compiled && kept.machine == made.machine &&
           kept.group_threads == made.group_threads &&
           kept.registers_from_ptxas == made.registers_from_ptxas &&
           kept.ignore_control_words == made.ignore_control_words &&
           kept.registers_given == made.registers_given && kept.frame_bytes_given == made.frame_bytes_given &&
           kept.slow_divisions == made.slow_divisions;
  };
  const auto give = [&](const KeptProgram& kept) {
    target.program = kept.program;
    target.program_content = kept.content;
  };
  if (const KeptProgram* kept = used_again(programs_, same)) {
    give(*kept);
    return {};
  }
  ++machine_steps_;
  codegen::MachineStepOptions options;
  options.group_threads = made.group_threads;
  options.registers_given = made.registers_given;
  options.frame_bytes_given = made.frame_bytes_given;
  options.slow_divisions = made.slow_divisions;
  if (made.registers_from_ptxas)
    options.registers = codegen::MachineStepOptions::Registers::ptxas;
  auto program = codegen::lower(made.compiled->module, *made.compiled->kernel, *made.machine, options);
  FOREWARP_TRY(program);
  if (made.registers_given > 0) {
    program->resources.registers_per_thread = made.registers_given;
    program->resources.source = "given";
  }
  if (made.ignore_control_words)
    for (facts::MachineBlock& block : program->blocks)
      block.controls.clear();
  made.program = std::make_shared<const facts::MachineProgram>(*std::move(program));
  made.content = content_of(request, target, made.group_threads, made.slow_divisions);
  give(keep(programs_, std::move(made), capacity_));
  return {};
}

Result<void> Planner::count_slow_divisions(const PredictRequest& request, const facts::SlowDivisions& slow,
                                           Target& target) {
  FOREWARP_TRY(set_program(request, slow, target));
  if (wants_bitcode(request.model))
    FOREWARP_TRY(take_resources_of_target(request, target));
  auto occupancy = analysis::occupancy(*target.machine, target.program->resources, target.shape);
  FOREWARP_TRY(occupancy);
  target.occupancy = *occupancy;
  return {};
}

Result<std::uint64_t> Planner::module_number(const PredictRequest& request, const gpu::GpuChoice& choice) {
  const auto machine = machine_for(request, choice);
  FOREWARP_TRY(machine);
  const auto compiled = modules_.get(request, **machine);
  FOREWARP_TRY(compiled);
  return (*compiled)->number;
}

/// Wang et al. take registers and shared memory from the GPU's own compiler, beside the bitcode.
Result<void> Planner::take_resources_of_target(const PredictRequest& request, Target& target) {
  PredictRequest own = request;
  own.model = predict::default_predictor;
  auto compiled = modules_.get(own, *target.machine);
  FOREWARP_TRY(compiled);
  Target other = target;
  other.compiled = *std::move(compiled);
  FOREWARP_TRY(set_program(own, {}, other));
  auto program = std::make_shared<facts::MachineProgram>(*target.program);
  program->resources = other.program->resources;
  target.program = std::move(program);
  return {};
}

Result<Target> Planner::prepare(const PredictRequest& request, const gpu::GpuChoice& choice) {
  Target target;
  target.choice = &choice;
  auto machine = machine_for(request, choice);
  FOREWARP_TRY(machine);
  target.machine = *std::move(machine);
  FOREWARP_TRY(check_registers(request.registers_given, *target.machine));
  auto compiled = modules_.get(request, *target.machine);
  FOREWARP_TRY(compiled);
  target.compiled = *std::move(compiled);
  FOREWARP_TRY(check_triton_metadata(request, target.compiled->module, *target.compiled->kernel));
  auto shape = simt::resolve_shape(target.compiled->module, *target.compiled->kernel, request.launch);
  FOREWARP_TRY(shape);
  target.shape = *shape;
  FOREWARP_TRY(set_program(request, {}, target));
  if (wants_bitcode(request.model))
    FOREWARP_TRY(take_resources_of_target(request, target));
  auto occupancy = analysis::occupancy(*target.machine, target.program->resources, target.shape);
  FOREWARP_TRY(occupancy);
  target.occupancy = *occupancy;
  return target;
}

Result<std::vector<Target>> Planner::plan(const PredictRequest& request) {
  if (request.gpus.empty())
    return fail(ErrorCode::usage, "no GPU was named", "--gpu",
                "name one or more, e.g. --gpu v100,h200; `forewarp gpus` lists them");
  std::vector<Target> targets;
  for (const gpu::GpuChoice& choice : request.gpus) {
    auto target = prepare(request, choice);
    FOREWARP_TRY(target);
    targets.push_back(*std::move(target));
  }
  for (Target& target : targets) {
    auto prepared = prepared_for(target.compiled);
    FOREWARP_TRY(prepared);
    target.prepared = *std::move(prepared);
    FOREWARP_TRY(check_clusters(target));
    FOREWARP_TRY(check_residency(target));
  }
  return targets;
}

} // namespace forewarp::engine
