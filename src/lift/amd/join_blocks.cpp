#include "lift/amd/join_blocks.h"

#include "lift/lift.h"
#include "lift/places.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace forewarp::lift::amd {
namespace {

/// `br true, body, behind` -> `br body`.
void straighten(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return;
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition());
  if (known == nullptr)
    return;
  llvm::BasicBlock* taken = branch->getSuccessor(known->isOne() ? 0 : 1);
  llvm::BasicBlock* other = branch->getSuccessor(known->isOne() ? 1 : 0);
  if (other != taken)
    other->removePredecessor(&block);
  llvm::MDNode* place = branch->getMetadata(place_metadata);
  auto* straight = llvm::BranchInst::Create(taken, branch->getIterator());
  straight->setMetadata(place_metadata, place);
  branch->eraseFromParent();
}

} // namespace

void join_blocks(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    straighten(block);
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(llvm::drop_begin(function))) {
    llvm::BasicBlock* before = block.getSinglePredecessor();
    if (before == nullptr || before == &block || before->getSingleSuccessor() != &block)
      continue;
    const auto [first, middle] = instructions_of(*before);
    const auto [next, end] = instructions_of(block);
    if (middle != next)
      continue;
    if (llvm::MergeBlockIntoPredecessor(&block))
      set_block_place(*before->getTerminator(), first, end);
  }
  llvm::EliminateUnreachableBlocks(function);
}

} // namespace forewarp::lift::amd
