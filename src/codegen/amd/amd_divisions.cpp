#include "codegen/amd/amd_divisions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace forewarp::codegen {
namespace {

/// Made of arguments and constants alone: it lies in a scalar register.
bool is_made_of_arguments(const llvm::Value* value, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::Argument>(value))
    return true;
  const auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  return made && depth < deepest &&
         (llvm::isa<llvm::BinaryOperator>(made) || llvm::isa<llvm::CastInst>(made)) &&
         llvm::all_of(
             made->operands(),
             [&](const llvm::Use& use) { return is_made_of_arguments(use.get(), depth + 1); });
}

bool has_reciprocal(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    return instruction.getType()->isIntegerTy(32) && !llvm::isa<llvm::Constant>(instruction.getOperand(1)) &&
           is_made_of_arguments(instruction.getOperand(1));
  default:
    return false;
  }
}

} // namespace

void keep_reciprocals_in_place(llvm::Function& function) {
  std::vector<llvm::Instruction*> divisions;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (has_reciprocal(instruction))
      divisions.push_back(&instruction);
  for (llvm::Instruction* division : divisions) {
    llvm::IRBuilder<> builder(division);
    auto* type = llvm::FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty()}, false);
    llvm::CallInst* held = builder.CreateCall(type, llvm::InlineAsm::get(type, divisor_stays, "=s,0", false),
                                              {division->getOperand(1)});
    held->setConvergent(); // which nothing takes out of a loop
    division->setOperand(1, held);
  }
}

} // namespace forewarp::codegen
