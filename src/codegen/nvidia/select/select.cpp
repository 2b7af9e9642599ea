// Dispatch of an IR instruction to the rules of its kind.
#include "codegen/nvidia/select/lowering.h"
#include "ir/part_mark.h"
#include "ir/variable_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::codegen {

/// Of an instruction that another one makes with its own: what its last source made.
void Lowering::define_part(const llvm::Instruction& instruction) {
  Registers made(components(instruction.getType()), facts::no_value);
  for (const std::uint32_t source : sources_of(instruction))
    for (std::uint32_t& each : made)
      each = each == facts::no_value ? source : std::max(each, source);
  define(instruction, std::move(made));
}

Result<void> Lowering::select(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  if (instruction.hasMetadata(llvm::StringRef(ir::builtins::part))) {
    define_part(instruction);
    return {};
  }
  switch (folding_.fate(&instruction)) {
  case Fate::absorbed:
    return {};
  case Fate::alias: {
    Registers from = registers_of(instruction.getOperand(0));
    if (folding_.absorbed(instruction.getOperand(0))) {
      llvm::SmallVector<std::uint32_t, 8> sources = sources_of(instruction);
      from.assign(sources.begin(), sources.end());
    }
    const unsigned count = components(instruction.getType());
    if (from.empty())
      from.push_back(facts::no_value);
    Registers to;
    for (unsigned c = 0; c < count; ++c)
      to.push_back(from[c * from.size() / count]);
    define(instruction, to);
    return {};
  }
  case Fate::emit:
    break;
  }
  if (instruction.isTerminator()) {
    select_terminator(instruction);
    return {};
  }
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
    return {};
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    select_integer(instruction);
    return {};
  case Instruction::Mul:
    select_multiply(instruction);
    return {};
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return select_division(instruction);
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
    return select_float(instruction);
  case Instruction::ICmp:
  case Instruction::FCmp:
    select_compare(instruction);
    return {};
  case Instruction::Select:
    select_select(instruction);
    return {};
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Freeze:
    select_vector(instruction);
    return {};
  case Instruction::GetElementPtr:
    select_address(llvm::cast<llvm::GetElementPtrInst>(instruction));
    return {};
  case Instruction::Load:
  case Instruction::Store:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return select_memory(instruction);
  case Instruction::Alloca: {
    const auto& alloca = llvm::cast<llvm::AllocaInst>(instruction);
    if (auto size = alloca.getAllocationSize(layout_))
      local_bytes_ += size->getFixedValue();
    return {}; // its address is an immediate
  }
  case Instruction::Fence:
    emit_void(OpClass::fence, {});
    return {};
  case Instruction::Call:
    return select_call(llvm::cast<llvm::CallBase>(instruction));
  default:
    if (llvm::isa<llvm::CastInst>(instruction)) {
      select_cast(instruction);
      return {};
    }
    return fail(ErrorCode::unsupported,
                fmt::format("IR instruction '{}' has no machine operation", instruction.getOpcodeName()),
                ir::function_name(function_.getName().str()));
  }
}

} // namespace forewarp::codegen
