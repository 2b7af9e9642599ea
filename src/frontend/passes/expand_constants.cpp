#include "frontend/passes/expand_constants.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace forewarp::frontend {
namespace {

/// A variable, a place in it, or the number of one.
bool is_address(const llvm::Constant& constant) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression)
    return true;
  switch (expression->getOpcode()) {
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
    return is_address(*expression->getOperand(0));
  default:
    return false;
  }
}

/// Where a value for operand `k` has to stand.
llvm::Instruction* place_for(llvm::Instruction& user, unsigned k) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&user))
    return phi->getIncomingBlock(k)->getTerminator();
  return &user;
}

void expand_operands(llvm::Instruction& user, std::vector<llvm::Instruction*>& made) {
  for (unsigned k = 0; k < user.getNumOperands(); ++k) {
    auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(user.getOperand(k));
    if (!expression || is_address(*expression))
      continue;
    llvm::Instruction* instruction = expression->getAsInstruction();
    instruction->insertBefore(place_for(user, k));
    instruction->setDebugLoc(user.getDebugLoc());
    user.setOperand(k, instruction);
    made.push_back(instruction);
  }
}

} // namespace

void expand_constants(llvm::Function& function) {
  std::vector<llvm::Instruction*> open;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    open.push_back(&instruction);
  while (!open.empty()) {
    llvm::Instruction* user = open.back();
    open.pop_back();
    expand_operands(*user, open);
  }
}

} // namespace forewarp::frontend
