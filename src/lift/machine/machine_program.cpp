#include "lift/machine/machine_program.h"

#include "lift/lift.h"
#include "lift/machine/code_blocks.h"
#include "lift/machine/issue_control.h"
#include "lift/machine/values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>
#include <utility>

namespace forewarp::lift {
namespace {

std::uint16_t width_of(const sass::Instruction& instruction) {
  using M = sass::Modifier;
  if (instruction.has(M::u8) || instruction.has(M::s8))
    return 1;
  if (instruction.has(M::u16) || instruction.has(M::s16))
    return 2;
  return instruction.has(M::w128) ? 16 : instruction.has(M::w64) ? 8 : 4;
}

std::int32_t offset_of(const sass::Instruction& instruction) {
  for (const sass::Operand& operand : instruction.operands)
    if (operand.kind == sass::OperandKind::address)
      return operand.address.offset;
  return 0;
}

facts::MachineOp operation_of(const sass::Kernel& kernel, std::uint32_t index,
                              const NamedInstruction& named) {
  const sass::Instruction& instruction = kernel.instructions[index];
  facts::MachineOp op;
  op.op = op_class_of(instruction);
  op.location = sass::location_of(kernel, instruction.offset);
  op.destination = named.destination;
  op.to_predicate = named.writes_predicate; // as far as is known yet
  for (const std::uint32_t source : named.sources)
    if (op.source_count < op.sources.size() && source != facts::no_value)
      op.sources[op.source_count++] = source;
  if (facts::is_memory(op.op)) {
    op.width_bytes = width_of(instruction);
    op.offset_bytes = offset_of(instruction);
  }
  return op;
}

/// What an instruction does at the meeting that its last site names.
facts::Meets meets_of(const sass::Instruction& instruction) {
  using M = sass::Modifier;
  switch (instruction.opcode) {
  case sass::Opcode::syncs:
    return instruction.has(M::phasechk) ? facts::Meets::waits
           : instruction.has(M::arrive) && !instruction.has(M::a0tr) && !instruction.has(M::a0t1)
               ? facts::Meets::arrives
               : facts::Meets::never;
  case sass::Opcode::arrives: // behind the copies, whose queue it is in
  case sass::Opcode::ublkcp:
  case sass::Opcode::utmaldg:
  case sass::Opcode::bar:
    return facts::Meets::arrives;
  case sass::Opcode::ucgabar_arv:
    return facts::Meets::arrives_far;
  case sass::Opcode::ucgabar_wait:
    return facts::Meets::waits;
  default:
    return facts::Meets::never;
  }
}

/// Operations of an instruction, and their control words.
class Operations {
public:
  Operations(facts::MachineBlock& block, std::uint32_t number, const SitesOfBlock& sites)
      : block_(block), number_(number), sites_(sites) {}

  void add(const sass::Kernel& kernel, std::uint32_t index, facts::MachineOp op, const ProductWork* product) {
    const facts::IssueControl control = issue_control_of(kernel, index);
    const sass::Instruction& instruction = kernel.instructions[index];
    const std::uint32_t first = sites_.of(number_, index), last = sites_.last_of(number_, index);
    if (facts::is_memory(op.op))
      op.site = first;
    if (instruction.opcode == sass::Opcode::ldgsts && last != first)
      op.stores_site = last;
    if (last != facts::no_value)
      op.meets = meets_of(instruction);
    if (op.meets != facts::Meets::never)
      op.meeting_site = op.op == facts::OpClass::barrier ? first : last;
    // Of a barrier by name the wait is an operation of its own, and a product is several.
    const bool waits = op.op == facts::OpClass::barrier && op.meets == facts::Meets::arrives && first != last;
    const unsigned parts = product != nullptr ? product->operations : waits ? 2 : 1;
    if (product != nullptr) {
      op.tensor = product->each;
      op.queued = is_product_of_group(instruction);
    }
    for (unsigned part = 0; part < parts; ++part) {
      block_.ops.push_back(op);
      block_.controls.push_back(part_of(control, part, parts));
    }
    if (!waits)
      return;
    facts::MachineOp& wait = block_.ops.back();
    wait.op = facts::OpClass::nop;
    wait.meets = facts::Meets::waits;
    wait.meeting_site = last;
  }

private:
  /// The first waits for the instruction's counters, the last one counts in them.
  static facts::IssueControl part_of(facts::IssueControl control, unsigned part, unsigned parts) {
    if (part > 0)
      control.wait_mask = 0;
    if (part + 1 < parts) {
      control.stall_cycles = 1;
      control.written_counter = control.read_counter = facts::no_counter;
    }
    return control;
  }

  facts::MachineBlock& block_;
  std::uint32_t number_;
  const SitesOfBlock& sites_;
};

/// Products of a function by block and instruction.
std::map<std::pair<std::uint32_t, std::uint32_t>, ProductWork> products_in(const llvm::Function& function,
                                                                           const ProductOf& product_of) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, ProductWork> products;
  std::uint32_t number = 0;
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const auto product = product_of(*call))
          products.insert({{number, instruction_of(*call)}, *product});
    ++number;
  }
  return products;
}

/// Of the values that are predicates: which something other than a predicate asks for.
void mark_predicates(facts::MachineProgram& program) {
  std::vector<bool> asked_for(program.value_count);
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      for (unsigned s = 0; s < op.source_count && !op.to_predicate; ++s)
        asked_for[op.sources[s]] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const facts::MachineBlock& block : program.blocks)
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.source != facts::no_value && asked_for[phi.destination] && !asked_for[phi.source])
          changed = asked_for[phi.source] = true;
  }
  for (facts::MachineBlock& block : program.blocks)
    for (facts::MachineOp& op : block.ops)
      op.to_predicate = op.to_predicate && asked_for[op.destination];
}

} // namespace

Result<void> fill_machine_program(const ir::KernelModule& module, const llvm::Function& function,
                                  const ProductOf& product_of, facts::MachineProgram& program) {
  const auto code =
      sass::read_cubin(std::as_bytes(std::span(machine_code_of(module.module()))), module.files.front());
  FOREWARP_TRY(code);
  const auto kernel = std::ranges::find(code->kernels, function.getName().str(), &sass::Kernel::name);
  if (kernel == code->kernels.end())
    return fail(ErrorCode::internal,
                fmt::format("kernel '{}' is not in its machine code", function.getName().str()));
  const std::vector<CodeBlock> blocks = code_blocks(function);
  NamedProgram named = name_values(*kernel, blocks);
  const SitesOfBlock sites(function);
  const auto products = products_in(function, product_of);
  program.value_count = named.value_count;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    facts::MachineBlock& block = program.blocks.emplace_back();
    block.memory_sites = sites.count(b);
    block.phis = std::move(named.phis[b]);
    Operations operations(block, b, sites);
    for (std::uint32_t i = blocks[b].first; i < blocks[b].end && !named.instructions[b].empty(); ++i) {
      const auto product = products.find({b, i});
      operations.add(*kernel, i, operation_of(*kernel, i, named.instructions[b][i - blocks[b].first]),
                     product == products.end() ? nullptr : &product->second);
    }
  }
  mark_predicates(program);
  add_passed_bodies(
      blocks, [&](std::uint32_t body) { return named.instructions[body].front().guard; }, program);
  program.resources.registers_per_thread = kernel->registers;
  program.resources.static_shared_bytes = kernel->shared_bytes;
  program.resources.local_bytes_per_thread = kernel->local_bytes;
  program.resources.source = "machine code";
  return {};
}

} // namespace forewarp::lift
