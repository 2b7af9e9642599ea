#include "lift/machine/machine_program.h"

#include "lift/lift.h"
#include "lift/machine/issue_control.h"
#include "lift/machine/values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace forewarp::lift {
namespace {

std::vector<CodeBlock> code_blocks(const llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> index;
  for (const llvm::BasicBlock& block : function)
    index.insert({&block, static_cast<std::uint32_t>(index.size())});
  std::vector<CodeBlock> blocks;
  for (const llvm::BasicBlock& block : function) {
    const auto [first, end] = instructions_of(block);
    blocks.push_back({first, end, {}});
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      blocks.back().successors.push_back(index[next]);
  }
  return blocks;
}

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
  for (const std::uint32_t source : named.sources)
    if (op.source_count < op.sources.size() && source != facts::no_value)
      op.sources[op.source_count++] = source;
  if (facts::is_memory(op.op)) {
    op.width_bytes = width_of(instruction);
    op.offset_bytes = offset_of(instruction);
  }
  return op;
}

/// The sites of a block by the instruction that each was made for.
class SitesOfBlock {
public:
  explicit SitesOfBlock(const llvm::Function& function) {
    for (const ir::Numbering::Site& site : ir::number(function).sites) {
      by_block_.resize(std::max<std::size_t>(by_block_.size(), site.block + 1));
      by_block_[site.block].push_back(instruction_of(*site.instruction));
    }
    std::uint32_t first = 0;
    for (const std::vector<std::uint32_t>& block : by_block_) {
      first_.push_back(first);
      first += static_cast<std::uint32_t>(block.size());
    }
  }
  std::uint32_t count(std::size_t block) const {
    return block < by_block_.size() ? static_cast<std::uint32_t>(by_block_[block].size()) : 0;
  }
  std::uint32_t of(std::size_t block, std::uint32_t instruction) const {
    if (block >= by_block_.size())
      return facts::no_value;
    const std::vector<std::uint32_t>& in = by_block_[block];
    const auto found = std::find(in.begin(), in.end(), instruction);
    return found == in.end() ? facts::no_value
                             : first_[block] + static_cast<std::uint32_t>(found - in.begin());
  }

private:
  std::vector<std::vector<std::uint32_t>> by_block_;
  std::vector<std::uint32_t> first_;
};

/// A body under a guard that no lane has still issues.
void add_passed_bodies(const std::vector<CodeBlock>& blocks, const NamedProgram& named,
                       facts::MachineProgram& program) {
  for (std::uint32_t b = 0; b < blocks.size(); ++b)
    for (const std::uint32_t body : blocks[b].successors) {
      if (blocks[body].successors.size() != 1 || blocks[body].first != blocks[b].end ||
          blocks[body].first == blocks[body].end)
        continue;
      const std::uint32_t behind = blocks[body].successors[0];
      const auto& ways = blocks[b].successors;
      if (std::find(ways.begin(), ways.end(), behind) == ways.end() ||
          blocks[behind].first != blocks[body].end)
        continue;
      facts::PassedBody passed;
      passed.previous_block = b;
      passed.body_block = body;
      passed.operations = blocks[body].end - blocks[body].first;
      passed.condition = named.instructions[body].front().guard;
      passed.location = program.blocks[body].ops.front().location;
      program.blocks[behind].passed.push_back(passed);
    }
}

/// Of the values that are predicates: which something other than a predicate asks for.
void mark_predicates(const NamedProgram& named, facts::MachineProgram& program) {
  std::vector<bool> asked_for(named.value_count);
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (std::size_t k = 0; k < program.blocks[b].ops.size(); ++k)
      if (!named.instructions[b][k].writes_predicate)
        for (unsigned s = 0; s < program.blocks[b].ops[k].source_count; ++s)
          asked_for[program.blocks[b].ops[k].sources[s]] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const facts::MachineBlock& block : program.blocks)
      for (const facts::PhiAlias& phi : block.phis)
        if (phi.source != facts::no_value && asked_for[phi.destination] && !asked_for[phi.source])
          changed = asked_for[phi.source] = true;
  }
  for (std::size_t b = 0; b < program.blocks.size(); ++b)
    for (std::size_t k = 0; k < program.blocks[b].ops.size(); ++k)
      if (named.instructions[b][k].writes_predicate)
        program.blocks[b].ops[k].to_predicate = asked_for[program.blocks[b].ops[k].destination];
}

} // namespace

Result<void> fill_machine_program(const ir::KernelModule& module, const llvm::Function& function,
                                  facts::MachineProgram& program) {
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
  program.value_count = named.value_count;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    facts::MachineBlock& block = program.blocks.emplace_back();
    block.memory_sites = sites.count(b);
    block.phis = std::move(named.phis[b]);
    for (std::uint32_t i = blocks[b].first; i < blocks[b].end && !named.instructions[b].empty(); ++i) {
      facts::MachineOp op = operation_of(*kernel, i, named.instructions[b][i - blocks[b].first]);
      if (facts::is_memory(op.op))
        op.site = sites.of(b, i);
      block.ops.push_back(op);
      block.controls.push_back(issue_control_of(*kernel, i));
    }
  }
  mark_predicates(named, program);
  add_passed_bodies(blocks, named, program);
  program.resources.registers_per_thread = kernel->registers;
  program.resources.static_shared_bytes = kernel->shared_bytes;
  program.resources.local_bytes_per_thread = kernel->local_bytes;
  program.resources.source = "machine code";
  return {};
}

} // namespace forewarp::lift
