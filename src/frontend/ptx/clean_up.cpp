#include "frontend/ptx/clean_up.h"

#include "frontend/llvm_options.h"
#include "frontend/lowering/lower.h"
#include "frontend/passes/unroll_loops.h"
#include "frontend/ptx/pointers.h"
#include "frontend/targets.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace forewarp::frontend::ptx {
namespace {

/// A branch to a branch goes to its end.
void skip_empty_blocks(llvm::Function& function) {
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto* jump = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (&block == &function.getEntryBlock() || !jump || jump->isConditional() || block.size() != 1 ||
        jump->getSuccessor(0) == &block || !block.hasNPredecessorsOrMore(1))
      continue;
    llvm::TryToSimplifyUncondBranchFromEmptyBlock(&block);
  }
}

struct TidyBlocks : llvm::PassInfoMixin<TidyBlocks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::removeUnreachableBlocks(function);
    skip_empty_blocks(function);
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function))
      if (&block != &function.getEntryBlock())
        llvm::MergeBlockIntoPredecessor(&block);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct RecoverPointers : llvm::PassInfoMixin<RecoverPointers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    recover_pointers(function);
    return llvm::PreservedAnalyses::none();
  }
};

class Pipeline {
public:
  explicit Pipeline(llvm::TargetMachine* machine) : builder_(machine) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }
  void run(llvm::Module& module, llvm::ModulePassManager passes) { passes.run(module, modules_); }

private:
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
};

llvm::ModulePassManager values_of_slots() {
  llvm::FunctionPassManager each;
  each.addPass(TidyBlocks());
  each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass(false));
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  return passes;
}

llvm::ModulePassManager pointers_of_numbers(const CompilerGeneration& compiler) {
  llvm::FunctionPassManager each;
  each.addPass(RecoverPointers());
  each.addPass(llvm::InstSimplifyPass());
  each.addPass(llvm::ADCEPass());
  each.addPass(llvm::InferAddressSpacesPass());
  each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  each.addPass(llvm::EarlyCSEPass());
  each.addPass(AssemblerUnrolling(compiler));
  each.addPass(llvm::InstSimplifyPass());
  each.addPass(llvm::ADCEPass());
  each.addPass(TidyBlocks());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  return passes;
}

} // namespace

void clean_up(llvm::Module& module, const std::string& processor, const std::string& features,
              const CompilerGeneration& compiler, lowering::Report& report) {
  settle_llvm_options();
  for (llvm::Function& function : module)
    function.addFnAttr("target-cpu", processor);
  lowering::lower_builtins(module, {}, report);
  lowering::inline_everything(module);
  auto machine = make_target_machine(module, processor, features);
  Pipeline(machine.get()).run(module, values_of_slots());
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && lowering::is_kernel(function))
      kernels.push_back(&function);
  for (llvm::Function* kernel : kernels)
    retype_arguments(*kernel);
  Pipeline(machine.get()).run(module, pointers_of_numbers(compiler));
}

} // namespace forewarp::frontend::ptx
