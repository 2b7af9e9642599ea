#include "frontend/passes/loops/long_pragmas.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace forewarp::frontend {

namespace {

constexpr std::uint64_t most_operations_of_llvm = 16384;
constexpr unsigned latch_operations = 2; ///< of all copies: once a loop

class UnrollLongPragmas : public llvm::PassInfoMixin<UnrollLongPragmas> {
public:
  explicit UnrollLongPragmas(const CompilerGeneration& compiler) : compiler_(compiler) {}
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater& updater) {
    llvm::Function& function = *loop.getHeader()->getParent();
    const unsigned trips = analyses.SE.getSmallConstantTripCount(&loop);
    if (!function.getParent()->getTargetTriple().starts_with("nvptx") || !loop.isInnermost() || trips <= 1 ||
        !llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable"))
      return llvm::PreservedAnalyses::all();
    const llvm::SmallPtrSet<const llvm::Value*, 4> none;
    const llvm::UnrollCostEstimator size(&loop, analyses.TTI, none, latch_operations);
    const std::uint64_t operations = size.getRolledLoopSize() * trips;
    if (operations <= most_operations_of_llvm || size.NumInlineCandidates > 0)
      return llvm::PreservedAnalyses::all();
    function.addFnAttr(pragmas_rule.mark);
    if (operations > compiler_.most_operations_of_pragma)
      return llvm::PreservedAnalyses::all();
    const std::string name = loop.getName().str();
    llvm::OptimizationRemarkEmitter remarks(&function);
    const llvm::UnrollLoopOptions options{.Count = trips,
                                          .Force = true,
                                          .Runtime = false,
                                          .AllowExpensiveTripCount = false,
                                          .UnrollRemainder = false,
                                          .ForgetAllSCEV = true};
    if (llvm::UnrollLoop(&loop, options, &analyses.LI, &analyses.SE, &analyses.DT, &analyses.AC,
                         &analyses.TTI, &remarks, true) == llvm::LoopUnrollResult::FullyUnrolled)
      updater.markLoopAsDeleted(loop, name);
    return llvm::getLoopPassPreservedAnalyses();
  }

private:
  const CompilerGeneration& compiler_;
};

} // namespace

void add_long_pragmas(llvm::PassBuilder& builder, const CompilerGeneration& compiler) {
  builder.registerLateLoopOptimizationsEPCallback(
      [&compiler](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(UnrollLongPragmas(compiler));
      });
}

} // namespace forewarp::frontend
