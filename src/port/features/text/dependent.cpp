#include "port/features/text/dependent.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::port {
namespace {

const llvm::Value* condition_of(const llvm::Instruction* terminator) {
  if (const auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(terminator))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  if (const auto* choice = llvm::dyn_cast_or_null<llvm::SwitchInst>(terminator))
    return choice->getCondition();
  return nullptr;
}

} // namespace

DependentValues::DependentValues(const std::vector<llvm::BasicBlock*>& blocks,
                                 const std::vector<const llvm::Value*>& roots,
                                 const llvm::DominatorTree& tree, const llvm::LoopInfo& loops)
    : found_(roots.begin(), roots.end()) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : blocks)
      for (const llvm::Instruction& instruction : *block) {
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && (contains(store->getPointerOperand()) || contains(store->getValueOperand())))
          changed = written_.insert(llvm::getUnderlyingObject(store->getPointerOperand())).second || changed;
        if (!found_.contains(&instruction) && differs(instruction, tree, loops))
          changed = found_.insert(&instruction).second || changed;
      }
  }
}

bool DependentValues::differs(const llvm::Instruction& instruction, const llvm::DominatorTree& tree,
                              const llvm::LoopInfo& loops) const {
  if (instruction.getType()->isVoidTy())
    return false;
  for (const llvm::Value* operand : instruction.operand_values())
    if (contains(operand))
      return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return written_.contains(llvm::getUnderlyingObject(load->getPointerOperand()));
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  return phi && joins_ways(*phi, tree, loops);
}

/// Which of its values it gets was decided by a condition that differs.
bool DependentValues::joins_ways(const llvm::PHINode& phi, const llvm::DominatorTree& tree,
                                 const llvm::LoopInfo& loops) const {
  const llvm::BasicBlock* block = phi.getParent();
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const llvm::BasicBlock* from = phi.getIncomingBlock(i);
    const llvm::Loop* left = loops.getLoopFor(from);
    if (left && !left->contains(block) && contains(condition_of(from->getTerminator())))
      return true; // a value of the iteration in which the loop ended
  }
  if (phi.getNumIncomingValues() < 2 || loops.isLoopHeader(block))
    return false;
  const auto* node = tree.getNode(block);
  const llvm::BasicBlock* above = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  return above && contains(condition_of(above->getTerminator()));
}

} // namespace forewarp::port
