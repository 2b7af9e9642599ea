#include "frontend/passes/join_comparisons.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

bool is_opposite(const llvm::CmpInst& a, const llvm::CmpInst& b) {
  return a.getOpcode() == b.getOpcode() && a.getPredicate() == b.getInversePredicate() &&
         a.getOperand(0) == b.getOperand(0) && a.getOperand(1) == b.getOperand(1);
}

bool chooses_alone(const llvm::CmpInst& compare) {
  return llvm::all_of(compare.uses(), [](const llvm::Use& use) {
    return llvm::isa<llvm::BranchInst>(use.getUser()) ||
           (llvm::isa<llvm::SelectInst>(use.getUser()) && use.getOperandNo() == 0);
  });
}

void exchange_ways(llvm::CmpInst& compare) {
  for (llvm::User* user : compare.users())
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(user))
      branch->swapSuccessors();
    else
      llvm::cast<llvm::SelectInst>(user)->swapValues();
}

/// One of the same operands before `compare`; null: there is none.
llvm::CmpInst* made_before(const llvm::CmpInst& compare, const llvm::DominatorTree& dominators) {
  if (llvm::isa<llvm::Constant>(compare.getOperand(0)))
    return nullptr;
  for (llvm::User* user : compare.getOperand(0)->users()) {
    auto* first = llvm::dyn_cast<llvm::CmpInst>(user);
    if (first != nullptr && first != &compare && dominators.dominates(first, &compare) &&
        (first->isIdenticalTo(&compare) || (is_opposite(*first, compare) && chooses_alone(compare))))
      return first;
  }
  return nullptr;
}

} // namespace

void take_extensions_back(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto* extension = llvm::isa<llvm::TruncInst>(instruction)
                                ? llvm::dyn_cast<llvm::CastInst>(instruction.getOperand(0))
                                : nullptr;
    if (extension == nullptr || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) ||
        extension->getSrcTy() != instruction.getType())
      continue;
    instruction.replaceAllUsesWith(extension->getOperand(0));
    instruction.eraseFromParent();
  }
}

void join_comparisons(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction);
    llvm::CmpInst* first = compare == nullptr ? nullptr : made_before(*compare, dominators);
    if (first == nullptr)
      continue;
    if (!first->isIdenticalTo(compare))
      exchange_ways(*compare);
    compare->replaceAllUsesWith(first);
    compare->eraseFromParent();
  }
}

} // namespace forewarp::frontend
