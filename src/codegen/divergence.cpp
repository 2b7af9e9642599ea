#include "codegen/divergence.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace forewarp::codegen {
namespace {

bool is_lane_source(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AllocaInst>(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || !call->getCalledFunction())
    return false;
  llvm::StringRef name = call->getCalledFunction()->getName();
  if (name.contains("workitem.id") || name.contains("sreg.tid") || name.contains("laneid") ||
      name.contains("mbcnt"))
    return true;
  if (name.contains(".shfl.") || name.contains("amdgcn.ds.bpermute") || name.contains("atomic"))
    return true;
  return name == "forewarp.item.lane" ||
         (name.starts_with("forewarp.warp.") && !name.contains("broadcast") && !name.contains("reduce") &&
          !name.contains(".any") && !name.contains(".all") && !name.contains("ballot"));
}

} // namespace

Divergence::Divergence(const llvm::Function& function) {
  llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));
  bool changed = true;
  while (changed) {
    changed = false;
    for (const llvm::BasicBlock& block : function) {
      const auto* node = dominators.getNode(&block);
      const bool has_dominator = node && node->getIDom();
      for (const llvm::Instruction& instruction : block) {
        if (divergent_.contains(&instruction))
          continue;
        bool mark = is_lane_source(instruction);
        for (const llvm::Value* operand : instruction.operands())
          mark = mark || divergent_.contains(operand);
        if (!mark && has_dominator && llvm::isa<llvm::PHINode>(instruction)) {
          const auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getIDom()->getBlock()->getTerminator());
          mark = branch && branch->isConditional() && divergent_.contains(branch->getCondition());
        }
        if (mark) {
          divergent_.insert(&instruction);
          changed = true;
        }
      }
    }
  }
}

} // namespace forewarp::codegen
