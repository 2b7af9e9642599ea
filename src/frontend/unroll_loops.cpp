#include "frontend/unroll_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <bit>

namespace forewarp::frontend {

namespace {

constexpr unsigned runtime_copies = 4;
constexpr unsigned most_operations = 200;
constexpr unsigned latch_operations =
    2; // LLVM's count of a loop's compare and branch: once a loop, however unrolled

struct Analyses {
  llvm::LoopInfo& loops;
  llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
  llvm::AssumptionCache& assumptions;
  llvm::TargetTransformInfo& target;
  llvm::OptimizationRemarkEmitter& remarks;
};

bool has_unroll_pragma(const llvm::Loop& loop) {
  const llvm::MDNode* id = loop.getLoopID();
  if (id == nullptr)
    return false;
  for (unsigned i = 1; i < id->getNumOperands(); ++i)
    if (const auto* node = llvm::dyn_cast<llvm::MDNode>(id->getOperand(i)))
      if (const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0)))
        if (name->getString().starts_with("llvm.loop.unroll."))
          return true;
  return false;
}

unsigned copies_of(const llvm::Loop& loop, Analyses& analyses) {
  const llvm::SmallPtrSet<const llvm::Value*, 4> none;
  const llvm::UnrollCostEstimator size(&loop, analyses.target, none, latch_operations);
  if (size.NumInlineCandidates > 0)
    return 1;
  const std::uint64_t operations = size.getRolledLoopSize();
  const auto fits = [&](unsigned copies) {
    return (operations - latch_operations) * copies + latch_operations <= most_operations;
  };
  const unsigned trips = analyses.evolution.getSmallConstantTripCount(&loop);
  unsigned copies = runtime_copies;
  if (trips > 1 && trips % 2 == 0)
    copies = 1U << std::countr_zero(trips);
  while (copies > 1 && !fits(copies))
    copies /= 2;
  return copies;
}

/// Not unrolled: steps of a size that is known at run time only from a start that may lie behind the end (`i`
/// from the work-item's number in strides of the grid).
bool has_dear_trip_count(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::SCEV* count = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count))
    return false;
  const auto divides = [](const llvm::SCEV* part) {
    const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
    return quotient != nullptr && !llvm::isa<llvm::SCEVConstant>(quotient->getRHS());
  };
  const auto chooses = [](const llvm::SCEV* part) { return llvm::isa<llvm::SCEVMinMaxExpr>(part); };
  return llvm::SCEVExprContains(count, divides) && llvm::SCEVExprContains(count, chooses);
}

void unroll(llvm::Loop& loop, Analyses& analyses) {
  const bool nested = loop.getParentLoop() != nullptr;
  const llvm::UnrollLoopOptions options{.Count = copies_of(loop, analyses),
                                        .Force = false,
                                        .Runtime = true,
                                        .AllowExpensiveTripCount =
                                            !has_dear_trip_count(loop, analyses.evolution),
                                        .UnrollRemainder = nested,
                                        .ForgetAllSCEV = true};
  llvm::Loop* rest = nullptr;
  auto result = llvm::LoopUnrollResult::Unmodified;
  if (options.Count > 1)
    result = llvm::UnrollLoop(&loop, options, &analyses.loops, &analyses.evolution, &analyses.dominators,
                              &analyses.assumptions, &analyses.target, &analyses.remarks, true, &rest);
  if (result != llvm::LoopUnrollResult::FullyUnrolled)
    loop.setLoopAlreadyUnrolled();
  if (rest != nullptr)
    rest->setLoopAlreadyUnrolled();
}

struct UnrollLoops : llvm::PassInfoMixin<UnrollLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    if (!function.getParent()->getTargetTriple().starts_with("nvptx"))
      return llvm::PreservedAnalyses::all();
    Analyses analyses{manager.getResult<llvm::LoopAnalysis>(function),
                      manager.getResult<llvm::DominatorTreeAnalysis>(function),
                      manager.getResult<llvm::ScalarEvolutionAnalysis>(function),
                      manager.getResult<llvm::AssumptionAnalysis>(function),
                      manager.getResult<llvm::TargetIRAnalysis>(function),
                      manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)};
    for (llvm::Loop* loop : analyses.loops) {
      llvm::simplifyLoop(loop, &analyses.dominators, &analyses.loops, &analyses.evolution,
                         &analyses.assumptions, nullptr, false);
      llvm::formLCSSARecursively(*loop, analyses.dominators, &analyses.loops, &analyses.evolution);
    }
    for (llvm::Loop* loop : analyses.loops.getLoopsInPreorder())
      if (loop->isInnermost() && !has_unroll_pragma(*loop))
        unroll(*loop, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

void add_loop_unrolling(llvm::PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(UnrollLoops()); });
}

} // namespace forewarp::frontend
