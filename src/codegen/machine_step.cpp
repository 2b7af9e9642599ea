#include "codegen/machine_step.h"

#include "codegen/amd/amd_operations.h"
#include "codegen/amd/lifted_code.h"
#include "codegen/markers/ptx.h"
#include "codegen/nvidia/registers/copy_addresses.h"
#include "codegen/nvidia/registers/ptxas.h"
#include "codegen/nvidia/registers/recompute.h"
#include "codegen/nvidia/registers/registers.h"
#include "codegen/nvidia/registers/schedule.h"
#include "codegen/nvidia/registers/sink_loads.h"
#include "codegen/nvidia/registers/spills.h"
#include "codegen/nvidia/select/lowering.h"
#include "codegen/nvidia/select/matrix/products.h"
#include "codegen/nvidia/select/predicated_regions.h"
#include "codegen/sites.h"
#include "lift/lift.h"
#include "lift/machine/machine_program.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace forewarp::codegen {

namespace {

Flow flow_of(const llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> index;
  for (const llvm::BasicBlock& block : function)
    index.insert({&block, static_cast<std::uint32_t>(index.size())});
  Flow flow;
  for (const llvm::BasicBlock& block : function) {
    flow.successors.emplace_back();
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      flow.successors.back().push_back(index[next]);
  }
  return flow;
}

/// Tells the memory stage which loads one request stands for.
void mark_joined_loads(facts::MachineProgram& program) {
  std::vector<bool> has_operation(program.sites.size());
  std::vector<bool> block_joins(program.blocks.size());
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (const facts::MachineOp& op : program.blocks[b].ops) {
      if (op.site >= program.sites.size())
        continue;
      has_operation[op.site] = true;
      facts::MemorySite& site = program.sites[op.site];
      const bool shared = op.op == facts::OpClass::load_shared;
      const std::uint32_t bytes = op.width_bytes * op.parts;
      if ((shared ? op.parts != 1 : op.op != facts::OpClass::load_global) || bytes <= site.width_bytes)
        continue;
      site.joined_bytes = bytes;
      block_joins[b] = block_joins[b] || shared;
    }
  for (std::size_t s = 0; s < program.sites.size(); ++s) {
    facts::MemorySite& site = program.sites[s];
    site.moved_by_neighbour = !has_operation[s] && site.space == facts::MemorySpace::shared &&
                              site.kind == facts::AccessKind::load && block_joins[site.block];
  }
}

/// A phi asks for its sources where its own value is asked for.
void ask_through_phis(const facts::MachineProgram& program, std::vector<bool>& asked_for) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const facts::MachineBlock& block : program.blocks)
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.source != facts::no_value && asked_for[phi.destination] && !asked_for[phi.source])
          changed = asked_for[phi.source] = true;
  }
}

/// Predicates take no register: their size is 0. Branches and operations under a predicate (`guards`) wait
/// longer for it; one that a selection, a comparison or logic reads is ready as soon as any result (stall
/// counts of ptxas 13.0, sm_75 to sm_90: 13 and 4).
void mark_predicates(facts::MachineProgram& program, const std::vector<std::uint8_t>& sizes,
                     const std::vector<std::uint32_t>& guards) {
  std::vector<bool> asked_for(program.value_count);
  for (const std::uint32_t guard : guards)
    asked_for[guard] = true;
  ask_through_phis(program, asked_for);
  for (facts::MachineBlock& block : program.blocks)
    for (facts::MachineOp& op : block.ops)
      op.to_predicate =
          op.destination != facts::no_value && sizes[op.destination] == 0 && asked_for[op.destination];
}

void take_amd_code(const AmdCode& code, const ir::KernelModule& module, const llvm::Function& function,
                   const ir::KernelSignature& kernel, const gpu::Machine& machine,
                   facts::MachineProgram& program) {
  use_amd_code(code, module, function, machine, program);
  mark_joined_loads(program);
  program.resources = code.resources;
  program.resources.static_shared_bytes =
      std::max(code.resources.static_shared_bytes, kernel.static_shared_bytes);
  if (code.opaque_calls > 0)
    program.notes.push_back(
        {facts::Note::Severity::assumption,
         fmt::format("{} calls of functions that the AMDGPU back end takes from a library "
                     "count as the table of math operations has them",
                     code.opaque_calls),
         {},
         ""});
}

/// Spills what does not fit into `registers`. Where the assembler's frame is known to be smaller, as many
/// values more stay in registers as leave no larger one: its order of operations holds less than the order
/// here.
double spill(facts::MachineProgram& program, const Flow& flow, const Liveness& live,
             const std::vector<std::uint8_t>& sizes, unsigned registers, double frame_bytes_given) {
  constexpr unsigned step = 4, most = 1024;
  facts::MachineProgram spilled = program;
  double bytes = place_spills(spilled, flow, live, sizes, registers);
  while (frame_bytes_given > 0 && bytes > frame_bytes_given && registers < most) {
    registers += step;
    spilled = program;
    bytes = place_spills(spilled, flow, live, sizes, registers);
  }
  program = std::move(spilled);
  return bytes;
}

} // namespace

Result<facts::MachineProgram> lower(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                    const gpu::Machine& machine, const MachineStepOptions& options) {
  const llvm::Function* function = module.module().getFunction(kernel.symbol);
  if (!function || function->isDeclaration())
    return fail(ErrorCode::internal, fmt::format("kernel '{}' is not in its module", kernel.symbol));
  facts::MachineProgram program;
  program.kernel = kernel.name;
  program.target = machine.target;
  program.warp_width = module.warp_width;
  program.files = module.files;
  program.sites = memory_sites(module, *function);

  if (!lift::machine_code_of(module.module()).empty()) {
    for (facts::MemorySite& site : program.sites)
      site.one_per_warp = false; // the assembler has done that already
    if (module.family == ir::TargetFamily::amd) {
      FOREWARP_TRY(use_lifted_code(module, *function, machine, program));
      return program;
    }
    const auto product_of = [&](const llvm::CallBase& call) { return work_of_call(call, machine); };
    FOREWARP_TRY(lift::fill_machine_program(module, *function, product_of, program));
    return program;
  }
  Lowering lowering(module, *function, machine, options.slow_divisions);
  FOREWARP_TRY(lowering.run(program));
  mark_joined_loads(program);
  const Flow flow = flow_of(*function);
  const std::vector<std::uint8_t>& sizes = lowering.register_sizes();
  mark_predicates(program, sizes, lowering.guards());
  std::optional<facts::ResourceUse> given;
  if (options.registers == MachineStepOptions::Registers::ptxas) {
    auto ptx = emit_ptx(module, kernel, machine.target);
    FOREWARP_TRY(ptx);
    auto use = ptxas_resources(*ptx, machine.target);
    FOREWARP_TRY(use);
    given = *use;
  }
  if (module.family == ir::TargetFamily::amd) {
    auto code = amd_code(module, kernel, machine.target, machine.compiler);
    if (code) {
      take_amd_code(*code, module, *function, kernel, machine, program);
      return program;
    }
    program.notes.push_back(
        {facts::Note::Severity::assumption,
         fmt::format("operations and registers are estimated, not the back end's: {}", code.error().message),
         {},
         ""});
  }
  const unsigned cap = register_cap(machine, kernel, options.group_threads);
  Liveness live = liveness(program, flow);
  facts::MachineProgram least = order_of_least_pressure(program, live, sizes);
  RegisterEstimate estimate = estimate_registers(program, least, live, sizes, machine, cap);
  if (facts::MachineProgram other = program; recompute_offsets(other, live, sizes, free_registers(machine))) {
    const Liveness other_live = liveness(other, flow);
    facts::MachineProgram other_least = order_of_least_pressure(other, other_live, sizes);
    const RegisterEstimate less = estimate_registers(other, other_least, other_live, sizes, machine, cap);
    if (allocated_registers(machine, less) < allocated_registers(machine, estimate)) {
      program = std::move(other);
      live = other_live;
      least = std::move(other_least);
      estimate = less;
    }
  }
  const ScheduleBudget budget = schedule_budget(machine, estimate, cap);
  const bool has_room =
      (options.registers_given > 0 && options.registers_given < cap) || options.frame_bytes_given == 0;
  const bool spills = estimate.spilled > 0 && !has_room && !(given && given->spill_bytes_per_thread == 0);
  // Where the given order holds too much, the assembler finds one that fits; a few registers above the cap
  // are within the estimate's error. Where none does, it keeps its loads ahead; code longer than a window is
  // ordered window by window and spills what is left at the window's end.
  std::uint32_t fullest = 0;
  const unsigned held = peak_pressure(program, live, sizes, &fullest);
  const bool finds_another = spills ? estimate.spilled <= machine.limits.registers_beside_values ||
                                          program.blocks[fullest].ops.size() > scheduling_window
                                    : held > budget.all;
  if (finds_another)
    program = std::move(least);
  let_copy_addresses_go_ahead(program, flow, lowering.predicated_blocks(), live, sizes, estimate.pressure);
  if (!spills)
    straighten_predicated_bodies(program, flow, lowering.predicated_blocks(), live, sizes, budget.all);
  // What is spilled is not worth keeping more values in flight.
  schedule(program, spills ? live : liveness(program, flow), sizes, budget, spills ? nullptr : &machine);
  double frame_bytes = 0;
  if (spills)
    frame_bytes =
        spill(program, flow, live, sizes, cap - std::min(cap / 2, machine.limits.registers_beside_values),
              options.frame_bytes_given);
  if (given) {
    program.resources = *given;
    program.resources.static_shared_bytes = std::max(given->static_shared_bytes, kernel.static_shared_bytes);
    return program;
  }
  program.resources.registers_per_thread = estimate.registers;
  program.resources.spill_bytes_per_thread = frame_bytes;
  program.resources.static_shared_bytes = kernel.static_shared_bytes;
  program.resources.local_bytes_per_thread = lowering.local_bytes();
  return program;
}

} // namespace forewarp::codegen
