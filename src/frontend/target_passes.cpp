#include "frontend/finish.h"
#include "frontend/targets.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Target/TargetMachine.h>

namespace forewarp::frontend {

Result<void> run_target_passes(llvm::Module& module, const std::string& processor,
                               const std::string& features) {
  auto machine = make_target_machine(module, processor, features);
  if (!machine)
    return fail(ErrorCode::internal, "LLVM lacks the target " + module.getTargetTriple());
  auto& target = static_cast<llvm::LLVMTargetMachine&>(*machine);
  llvm::legacy::PassManager passes;
  passes.add(llvm::createTargetTransformInfoWrapperPass(target.getTargetIRAnalysis()));
  passes.add(new llvm::TargetLibraryInfoWrapperPass(llvm::Triple(module.getTargetTriple())));
  llvm::TargetPassConfig* config = target.createPassConfig(passes);
  passes.add(config);
  passes.add(new llvm::MachineModuleInfoWrapperPass(&target));
  config->addIRPasses();
  config->addCodeGenPrepare();
  config->addPassesToHandleExceptions();
  config->addISelPrepare();
  llvm::CrashRecoveryContext guard;
  if (!guard.RunSafely([&] { passes.run(module); }))
    return fail(ErrorCode::internal, "the compiler's passes for " + processor + " crashed on this kernel");
  return {};
}

} // namespace forewarp::frontend
