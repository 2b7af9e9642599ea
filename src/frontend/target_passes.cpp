#include "frontend/finish.h"
#include "frontend/guard.h"
#include "frontend/targets.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetMachine.h>

namespace forewarp::frontend {

namespace {

void add_passes(llvm::legacy::PassManager& passes, llvm::LLVMTargetMachine& target,
                const llvm::Module& module) {
  passes.add(llvm::createTargetTransformInfoWrapperPass(target.getTargetIRAnalysis()));
  passes.add(new llvm::TargetLibraryInfoWrapperPass(llvm::Triple(module.getTargetTriple())));
  llvm::TargetPassConfig* config = target.createPassConfig(passes);
  passes.add(config);
  passes.add(new llvm::MachineModuleInfoWrapperPass(&target));
  config->addIRPasses();
  config->addCodeGenPrepare();
  config->addPassesToHandleExceptions();
  config->addISelPrepare();
}

} // namespace

Result<void> run_target_passes(llvm::Module& module, const std::string& processor,
                               const std::string& features) {
  auto machine = make_target_machine(module, processor, features);
  if (!machine)
    return fail(ErrorCode::internal, "LLVM lacks the target " + module.getTargetTriple());
  auto& target = static_cast<llvm::LLVMTargetMachine&>(*machine);
  auto passes = std::make_unique<llvm::legacy::PassManager>();
  add_passes(*passes, target, module);
  auto ran = run_guarded("the pipeline for " + processor, [&] { passes->run(module); });
  if (!ran) {
    (void)passes.release();
    (void)machine.release();
  }
  return ran;
}

} // namespace forewarp::frontend
