// Vectors and aggregates are bundles of registers: taking them apart and together costs nothing.
#include "codegen/nvidia/select/lowering.h"

#include <llvm/IR/Constants.h>

#include <algorithm>

namespace forewarp::codegen {

using llvm::Instruction;

void Lowering::select_vector(const Instruction& instruction) {
  Registers base = registers_of(instruction.getOperand(0));
  switch (instruction.getOpcode()) {
  case Instruction::ExtractElement: {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (index && index->getZExtValue() < base.size()) {
      define(instruction, {base[index->getZExtValue()]});
      return;
    }
    // a chain of selects over the components
    emit_each(instruction, std::vector<OpClass>(base.size(), OpClass::int_minmax_cmp));
    return;
  }
  case Instruction::InsertElement: {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(2));
    const Registers element = registers_of(instruction.getOperand(1));
    if (index && index->getZExtValue() < base.size()) {
      base[index->getZExtValue()] = element.front();
      define(instruction, base);
      return;
    }
    for (std::uint32_t& component : base)
      component =
          emit(OpClass::int_minmax_cmp, {component, element.front()}, instruction.getType()->getScalarType());
    define(instruction, base);
    return;
  }
  case Instruction::ShuffleVector: {
    const auto& shuffle = llvm::cast<llvm::ShuffleVectorInst>(instruction);
    Registers both = base;
    const Registers second = registers_of(instruction.getOperand(1));
    both.append(second.begin(), second.end());
    Registers result;
    for (int from : shuffle.getShuffleMask())
      result.push_back(from < 0 || static_cast<std::size_t>(from) >= both.size() ? facts::no_value
                                                                                 : both[from]);
    define(instruction, result);
    return;
  }
  case Instruction::ExtractValue: {
    const unsigned index = *llvm::cast<llvm::ExtractValueInst>(instruction).idx_begin();
    define(instruction, {index < base.size() ? base[index] : facts::no_value});
    return;
  }
  case Instruction::InsertValue: {
    const unsigned index = *llvm::cast<llvm::InsertValueInst>(instruction).idx_begin();
    if (index < base.size())
      base[index] = registers_of(instruction.getOperand(1)).front();
    define(instruction, base);
    return;
  }
  default: // freeze
    define(instruction, base);
  }
}

} // namespace forewarp::codegen
