#include "port/static/nest.h"

#include "port/static/describe.h"
#include "port/static/memory_calls.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace forewarp::port {
namespace {

bool has_effect(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return is_operation(instruction) && !is_math_call(*call);
  return llvm::isa<llvm::StoreInst>(instruction);
}

/// The block from which the loop ends by itself; null: none, or several.
const llvm::BasicBlock* block_that_ends(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::Loop::Edge> exits;
  loop.getExitEdges(exits);
  const llvm::BasicBlock* found = nullptr;
  for (const auto& [from, to] : exits) {
    if (is_emergency(*to))
      continue;
    if (found && found != from)
      return nullptr;
    found = from;
  }
  return found;
}

} // namespace

Knowledge::Knowledge(llvm::Function& function)
    : tree(function), loops(tree), assumptions(function),
      library_impl(llvm::Triple(function.getParent()->getTargetTriple())), library(library_impl),
      evolution(function, library, assumptions, tree, loops) {}

bool is_emergency(const llvm::BasicBlock& exit) {
  return exit.isLandingPad() || llvm::isa<llvm::UnreachableInst>(exit.getTerminator());
}

bool holds_only(const llvm::Loop& outer, const llvm::Loop& inner) {
  for (const llvm::BasicBlock* block : outer.blocks())
    if (!inner.contains(block))
      for (const llvm::Instruction& instruction : *block)
        if (has_effect(instruction))
          return false;
  return true;
}

bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return true;
  const llvm::BasicBlock* exiting = block_that_ends(loop);
  const auto* branch = exiting ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
  const auto* test =
      branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!test || !evolution.isSCEVable(test->getOperand(0)->getType()))
    return false;
  const auto grows = [&](const llvm::SCEV* value) {
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
    return recurrence && recurrence->getLoop() == &loop && recurrence->isAffine();
  };
  const llvm::SCEV* left = evolution.getSCEV(test->getOperand(0));
  const llvm::SCEV* right = evolution.getSCEV(test->getOperand(1));
  return (grows(left) && evolution.isLoopInvariant(right, &loop)) ||
         (grows(right) && evolution.isLoopInvariant(left, &loop));
}

llvm::Loop* candidate_inside(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (loop.getSubLoops().size() != 1)
    return nullptr;
  llvm::Loop* const inner = loop.getSubLoops().front();
  return !is_memory_call_loop(*inner) && holds_only(loop, *inner) && is_counted(*inner, evolution) ? inner
                                                                                                   : nullptr;
}

} // namespace forewarp::port
