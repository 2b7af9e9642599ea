#include "frontend/finish.h"
#include "frontend/guard.h"
#include "frontend/passes/join_comparisons.h"
#include "frontend/targets.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/CallingConv.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Scalar/GVN.h>

#include <algorithm>
#include <utility>
#include <vector>

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

/// The vectorizer of accesses walks from each to the first that it may join, over all between. NVIDIA has no
/// vector access that is not aligned to its whole size: where no access is aligned to more than its own, and
/// no array of the thread can be moved, there is none to make.
bool may_join_accesses(const llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  return std::ranges::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->getAlign().value() > layout.getTypeStoreSize(load->getType());
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->getAlign().value() > layout.getTypeStoreSize(store->getValueOperand()->getType());
    return llvm::isa<llvm::AllocaInst>(instruction);
  });
}

/// Leaves out what cannot change a function.
class NeededPasses : public llvm::OptPassGate {
public:
  explicit NeededPasses(const llvm::Module& module) : module_(module) {}
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) override {
    if (pass != "GPU Load and Store Vectorizer" || !unit.consume_front("function (") ||
        !unit.consume_back(")"))
      return true;
    const llvm::Function* function = module_.getFunction(unit);
    return function == nullptr || may_join_accesses(*function);
  }

private:
  const llvm::Module& module_;
};

/// NVPTX keeps what it has read of `nvvm.annotations` by the module's address and never forgets it: in a
/// module that lies where another one lay, kernels may pass for plain functions. Where the list is silent it
/// asks for the calling convention, which kernels have while the passes run.
class KernelConvention {
public:
  explicit KernelConvention(llvm::Module& module) {
    const llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
    if (annotations == nullptr || !llvm::StringRef(module.getTargetTriple()).starts_with("nvptx"))
      return;
    for (const llvm::MDNode* node : annotations->operands()) {
      const auto* word =
          node->getNumOperands() < 3 ? nullptr : llvm::dyn_cast<llvm::MDString>(node->getOperand(1));
      auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
      if (word == nullptr || function == nullptr || word->getString() != "kernel")
        continue;
      before_.emplace_back(function, function->getCallingConv());
      function->setCallingConv(llvm::CallingConv::PTX_Kernel);
    }
  }
  ~KernelConvention() {
    for (const auto& [function, convention] : before_)
      function->setCallingConv(convention);
  }
  KernelConvention(const KernelConvention&) = delete;
  KernelConvention& operator=(const KernelConvention&) = delete;

private:
  std::vector<std::pair<llvm::Function*, llvm::CallingConv::ID>> before_;
};

void add_passes(llvm::legacy::PassManagerBase& passes, llvm::LLVMTargetMachine& target,
                const llvm::Module& module) {
  passes.add(llvm::createTargetTransformInfoWrapperPass(target.getTargetIRAnalysis()));
  passes.add(new llvm::TargetLibraryInfoWrapperPass(llvm::Triple(module.getTargetTriple())));
  llvm::TargetPassConfig* config = target.createPassConfig(passes);
  config->setDisableVerify(true); // what comes and what goes is verified once, by the caller
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
  NeededPasses needed(module);
  const KernelConvention kernels(module);
  add_passes(chosen, target, module);
  auto ran = run_guarded("the pipeline for " + processor, [&] {
    module.getContext().setOptPassGate(needed);
    passes->run(module);
    module.getContext().setOptPassGate(llvm::getGlobalPassGate());
  });
  if (!ran) {
    (void)passes.release();
    (void)machine.release();
    return ran;
  }
  if (machine->getTargetTriple().isNVPTX()) // CodeGenPrepare has put copies beside the branches
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) {
        take_extensions_back(function);
        join_comparisons(function);
      }
  return ran;
}

} // namespace forewarp::frontend
