#include "frontend/passes/arithmetic/fuse_products.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::frontend {
namespace {

llvm::BinaryOperator* product_in(const llvm::BinaryOperator& sum, unsigned operand) {
  auto* product = llvm::dyn_cast<llvm::BinaryOperator>(sum.getOperand(operand));
  const bool joins = product != nullptr && product->getOpcode() == llvm::Instruction::FMul &&
                     product->hasAllowContract() && product->hasOneUse() &&
                     product->getParent() == sum.getParent();
  return joins ? product : nullptr;
}

bool is_sum(const llvm::Instruction& one) {
  return (one.getOpcode() == llvm::Instruction::FAdd || one.getOpcode() == llvm::Instruction::FSub) &&
         (one.getType()->isFloatTy() || one.getType()->isDoubleTy()) && one.hasAllowContract();
}

void fuse(llvm::BinaryOperator& sum, unsigned operand) {
  llvm::BinaryOperator* product = product_in(sum, operand);
  llvm::Value *factor = product->getOperand(0), *rest = sum.getOperand(1 - operand);
  llvm::IRBuilder<> b(&sum);
  b.setFastMathFlags(sum.getFastMathFlags());
  if (sum.getOpcode() == llvm::Instruction::FSub) {
    llvm::Value*& subtracted = operand == 0 ? rest : factor;
    subtracted = b.CreateFNeg(subtracted);
  }
  sum.replaceAllUsesWith(
      b.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {factor, product->getOperand(1), rest}));
  sum.eraseFromParent();
  product->eraseFromParent();
}

} // namespace

void fuse_products(llvm::Function& function) {
  for (llvm::Instruction& one : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_sum(one)) {
      auto& sum = llvm::cast<llvm::BinaryOperator>(one);
      if (product_in(sum, 0) != nullptr)
        fuse(sum, 0);
      else if (product_in(sum, 1) != nullptr)
        fuse(sum, 1);
    }
}

} // namespace forewarp::frontend
