#include "frontend/passes/unroll_private_arrays.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace forewarp::frontend {

namespace {

constexpr unsigned max_trip_count = 128;
constexpr unsigned max_unrolled_instructions = 16384;

/// An address into an alloca whose offset is not constant.
bool indexes_private_array(const llvm::Instruction& instruction) {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  return address && !address->hasAllConstantIndices() &&
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address, 0));
}

/// A pragma with a factor is obeyed, as by vendors' compilers.
bool is_unrolled_in_part(const llvm::Loop& loop) {
  return llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.unroll.count") ||
         llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.disable");
}

bool wants_unrolling(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips == 0 || trips > max_trip_count || is_unrolled_in_part(loop))
    return false;
  unsigned instructions = 0;
  bool indexes = false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      ++instructions;
      indexes = indexes || indexes_private_array(instruction);
    }
  return indexes && instructions * trips <= max_unrolled_instructions;
}

void demand_full_unrolling(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::MDNode* full = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
  loop.setLoopID(
      llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {full}));
}

struct UnrollPrivateArrays : llvm::PassInfoMixin<UnrollPrivateArrays> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    bool found = false;
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      if (wants_unrolling(*loop, evolution)) {
        demand_full_unrolling(*loop);
        found = true;
      }
    if (!found)
      return llvm::PreservedAnalyses::all();
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::LoopUnrollPass());
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(true));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

void add_private_array_unrolling(llvm::PassBuilder& builder) {
  builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(UnrollPrivateArrays()));
  });
}

} // namespace forewarp::frontend
