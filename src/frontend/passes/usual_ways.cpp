#include "frontend/passes/usual_ways.h"

#include "ir/large_angles.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

namespace forewarp::frontend {
namespace {

/// By an intrinsic, or by a phi or select of such (with and without denormals).
bool is_magnitude(const llvm::Value* value, int depth = 0) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value))
    return call->getCalledFunction()->getName().contains(".fabs.");
  if (depth == 2)
    return false;
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(value))
    return is_magnitude(select->getTrueValue(), depth + 1) &&
           is_magnitude(select->getFalseValue(), depth + 1);
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(value);
  return phi && llvm::all_of(phi->incoming_values(),
                             [&](const llvm::Use& use) { return is_magnitude(use.get(), depth + 1); });
}

/// 105615 alone says what it is for; powers of two stand beside a magnitude.
bool is_largest_short_angle(const llvm::Value* bound, const llvm::Value* angle) {
  const auto* number = llvm::dyn_cast<llvm::ConstantFP>(bound);
  if (!number)
    return false;
  const auto is = [&](double value) { return number->isExactlyValue(value); };
  if (number->getType()->isFloatTy())
    return is(ir::largest_short_angle) || (is(ir::largest_short_angle_amd) && is_magnitude(angle));
  return number->getType()->isDoubleTy() &&
         (is(ir::largest_short_angle_double) || is(ir::largest_short_angle_amd_double)) &&
         is_magnitude(angle);
}

/// Whether the condition says that the angle is short; none where it says neither.
std::optional<bool> says_short(const llvm::Value* condition) {
  const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(condition);
  if (!compare || !is_largest_short_angle(compare->getOperand(1), compare->getOperand(0)))
    return std::nullopt;
  switch (compare->getUnorderedPredicate()) {
  case llvm::CmpInst::FCMP_ULT:
  case llvm::CmpInst::FCMP_ULE:
    return true;
  case llvm::CmpInst::FCMP_UGT:
  case llvm::CmpInst::FCMP_UGE:
    return false;
  default:
    return std::nullopt;
  }
}

} // namespace

void mark_short_angles(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->hasMetadata(llvm::LLVMContext::MD_prof))
      continue;
    if (const auto taken = says_short(branch->getCondition()))
      branch->setMetadata(
          llvm::LLVMContext::MD_prof,
          llvm::MDBuilder(function.getContext())
              .createBranchWeights(*taken ? ir::usual_weight : 1, *taken ? 1 : ir::usual_weight));
  }
}

} // namespace forewarp::frontend
