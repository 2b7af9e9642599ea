#include "port/static/optimise.h"

#include "port/static/written_loads.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <set>

namespace forewarp::port {
namespace {

struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  explicit Analyses(llvm::PassBuilder& builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(groups);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, groups, modules);
  }
};

llvm::SimplifyCFGOptions keep_loops() {
  return llvm::SimplifyCFGOptions().needCanonicalLoops(true);
}

llvm::FunctionPassManager before_inlining() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(MergeWrittenLoads());
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass(keep_loops()));
  passes.addPass(llvm::InstCombinePass());
  return passes;
}

llvm::FunctionPassManager after_inlining() {
  llvm::FunctionPassManager passes = before_inlining();
  llvm::LoopPassManager first;
  first.addPass(llvm::LoopRotatePass(true, false));
  first.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(first), true));
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager second;
  second.addPass(llvm::IndVarSimplifyPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(second)));
  passes.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false))); // it would hide that i + 1 is counted
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager third;
  third.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(third), true));
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass(keep_loops()));
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  return passes;
}

llvm::TargetMachine* make_machine(const std::string& triple) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser(); // inline assembly
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  return target ? target->createTargetMachine(triple, "", "", {}, llvm::Reloc::PIC_, std::nullopt,
                                              llvm::CodeGenOptLevel::Default)
                : nullptr;
}

} // namespace

void optimise_for_counting(llvm::Module& module) {
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(before_inlining()));
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(2, 0)));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(after_inlining()));
  passes.run(module, analyses.modules);
}

void keep_reached(llvm::Module& module, const std::vector<llvm::Function*>& roots) {
  const std::set<const llvm::Value*> kept(roots.begin(), roots.end());
  llvm::internalizeModule(module, [&](const llvm::GlobalValue& value) { return kept.contains(&value); });
  for (llvm::Function* root : roots) // also what may be dropped where nobody calls it
    root->setLinkage(llvm::GlobalValue::ExternalLinkage);
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.run(module, analyses.modules);
}

void optimise_for_timing(llvm::Module& module) {
  const std::unique_ptr<llvm::TargetMachine> machine(make_machine(module.getTargetTriple()));
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::PassBuilder builder(machine.get(), tuning);
  Analyses analyses(builder);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, analyses.modules);
}

Result<std::string> object_code(llvm::Module& module) {
  const std::unique_ptr<llvm::TargetMachine> machine(make_machine(module.getTargetTriple()));
  if (!machine)
    return fail(ErrorCode::unsupported, "LLVM has no code generator for " + module.getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return fail(ErrorCode::unsupported, "LLVM cannot write objects for " + module.getTargetTriple());
  passes.run(module);
  return std::string(buffer.begin(), buffer.end());
}

} // namespace forewarp::port
