#include "frontend/passes/loops/amd_unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace forewarp::frontend {

namespace {

/// LLVM's `pragma-unroll-threshold`, of all copies together.
constexpr std::uint64_t most_operations = 16384;
constexpr unsigned latch_operations = 2; ///< of them once a loop: compare and branch

/// The largest number of copies that divides `trips` and keeps within the limit.
unsigned copies_within_limit(std::uint64_t operations, unsigned trips) {
  const std::uint64_t body = std::max<std::uint64_t>(operations, latch_operations + 1) - latch_operations;
  auto copies =
      static_cast<unsigned>(std::clamp<std::uint64_t>((most_operations - latch_operations) / body, 1, trips));
  while (trips % copies != 0)
    --copies;
  return copies;
}

void demand_copies(llvm::Loop& loop, unsigned copies) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  auto* number =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), copies));
  llvm::MDNode* count =
      llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.count"), number});
  loop.setLoopID(
      llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {count}));
}

/// Before LLVM's full unrolling; inner loops have been unrolled by then.
struct LimitCopies : llvm::PassInfoMixin<LimitCopies> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&) {
    const unsigned trips = analyses.SE.getSmallConstantTripCount(&loop);
    if (!loop.getHeader()->getModule()->getTargetTriple().starts_with("amdgcn") || trips <= 1 ||
        !llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable"))
      return llvm::PreservedAnalyses::all();
    const llvm::SmallPtrSet<const llvm::Value*, 4> none;
    const llvm::UnrollCostEstimator size(&loop, analyses.TTI, none, latch_operations);
    const unsigned copies = copies_within_limit(size.getRolledLoopSize(), trips);
    if (copies < trips)
      demand_copies(loop, copies);
    return llvm::PreservedAnalyses::all();
  }
};

} // namespace

void add_amd_unrolling(llvm::PassBuilder& builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager& passes, llvm::OptimizationLevel) { passes.addPass(LimitCopies()); });
}

} // namespace forewarp::frontend
