#include "frontend/passes/loops/hidden_end.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace forewarp::frontend {

namespace {

/// The comparison that ends the loop at its last block.
llvm::ICmpInst* last_test(const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  const auto* branch = latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
  auto* test =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  return test && loop.contains(test) ? test : nullptr;
}

/// Gives back its argument; no pass looks into it.
llvm::FunctionCallee hiding(llvm::Module& module, llvm::Type* type) {
  const std::string name = "forewarp.end." + std::to_string(type->getIntegerBitWidth());
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

} // namespace

HiddenEnd::HiddenEnd(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::ICmpInst* test = last_test(loop);
  llvm::BasicBlock* before = loop.getLoopPreheader();
  if (test == nullptr || before == nullptr)
    return;
  const unsigned side = loop.isLoopInvariant(test->getOperand(0)) ? 0 : 1;
  llvm::Value* end = test->getOperand(side);
  if (!end->getType()->isIntegerTy() || !loop.isLoopInvariant(end))
    return;
  hidden_ = llvm::IRBuilder<>(before->getTerminator())
                .CreateCall(hiding(*loop.getHeader()->getModule(), end->getType()), {end});
  test->setOperand(side, hidden_);
  evolution.forgetLoop(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop))) {
    show();
    evolution.forgetLoop(&loop);
  }
}

HiddenEnd::~HiddenEnd() {
  if (hidden_ != nullptr)
    show();
}

void HiddenEnd::show() {
  llvm::Function* function = hidden_->getCalledFunction();
  hidden_->replaceAllUsesWith(hidden_->getArgOperand(0));
  hidden_->eraseFromParent();
  hidden_ = nullptr;
  if (function->use_empty())
    function->eraseFromParent();
}

} // namespace forewarp::frontend
