#include "frontend/finish.h"
#include "frontend/guard.h"
#include "frontend/targets.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Scalar/GVN.h>

namespace forewarp::frontend {

namespace {

/// Takes value numbering's search for redundant loads out of the target's pipeline. It looks back from each
/// load past all other accesses, which takes half of the time of a kernel unrolled whole, and gives up after
/// a hundred instructions, so that weights of a convolution are loaded again for every output. Memory SSA
/// looks at what writes only, as far as it is.
class LoadsByMemorySsa : public llvm::legacy::PassManagerBase {
public:
  explicit LoadsByMemorySsa(llvm::legacy::PassManagerBase& passes) : passes_(passes) {}
  void add(llvm::Pass* pass) override {
    if (pass->getPassName() != "Global Value Numbering")
      return passes_.add(pass);
    delete pass; // the manager's, had it got it
    constexpr bool without_memory = true, with_memory_ssa = true;
    passes_.add(llvm::createGVNPass(without_memory));
    passes_.add(llvm::createEarlyCSEPass(with_memory_ssa));
  }

private:
  llvm::legacy::PassManagerBase& passes_;
};

void add_passes(llvm::legacy::PassManagerBase& passes, llvm::LLVMTargetMachine& target,
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
  LoadsByMemorySsa chosen(*passes);
  add_passes(chosen, target, module);
  auto ran = run_guarded("the pipeline for " + processor, [&] { passes->run(module); });
  if (!ran) {
    (void)passes.release();
    (void)machine.release();
  }
  return ran;
}

} // namespace forewarp::frontend
