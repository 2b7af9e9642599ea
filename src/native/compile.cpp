#include "native/compile.h"

#include "native/abi/abi.h"
#include "native/bounds.h"
#include "native/facts_table.h"
#include "native/group/group_code.h"
#include "native/lockstep.h"
#include "native/lower_calls.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <algorithm>
#include <mutex>

namespace forewarp::native {
namespace {

std::unique_ptr<llvm::TargetMachine> this_machine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  std::string message;
  const std::string triple = llvm::sys::getProcessTriple();
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return nullptr;
  std::string features;
  for (const auto& [name, is_there] : llvm::sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") + std::string(is_there ? "+" : "-") + name.str();
  llvm::TargetOptions options;
  options.UseInitArray = true;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast; // as a GPU's compiler joins products and sums
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Default));
}

/// One thread runs a launch's work-items: their atomics need not be the processor's. True: there were some.
bool lower_atomics(llvm::Function& body) {
  bool some = false;
  for (llvm::Instruction& at : llvm::make_early_inc_range(llvm::instructions(body))) {
    some = some || at.isAtomic();
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&at))
      llvm::lowerAtomicCmpXchgInst(exchange);
    else if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&at))
      llvm::lowerAtomicRMWInst(atomic);
    else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&at))
      load->setAtomic(llvm::AtomicOrdering::NotAtomic);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&at))
      store->setAtomic(llvm::AtomicOrdering::NotAtomic);
    else if (llvm::isa<llvm::FenceInst>(at))
      at.eraseFromParent();
  }
  return some;
}

/// The device's heap is the library's; any other variable without a value is another file's.
void find_outside_variables(llvm::Function& body, std::vector<std::string>& problems) {
  for (llvm::GlobalVariable& variable : body.getParent()->globals()) {
    if (!variable.isDeclaration())
      continue;
    for (llvm::Use& use : llvm::make_early_inc_range(variable.uses())) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user || user->getFunction() != &body)
        continue;
      if (variable.getName() != "fw_heap") {
        problems.push_back("the variable '" + variable.getName().str() + "', which another file defines");
        break;
      }
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
      use.set(builder.CreateCall(body.getParent()->getOrInsertFunction(
          "forewarp_heap", llvm::FunctionType::get(builder.getPtrTy(), false))));
    }
  }
}

class Translation {
public:
  Translation(ir::KernelModule& module, const ObjectRequest& request) : module_(module), request_(request) {}

  /// The module becomes one of this machine, with the table of its kernels.
  void run(const llvm::TargetMachine& machine) {
    llvm::Module& module = module_.module();
    flatten_variables(module);
    std::vector<TableKernel> kernels;
    for (const ir::KernelSignature& signature : module_.kernels)
      kernels.push_back(translate(signature));
    std::vector<llvm::GlobalVariable*> variables;
    for (llvm::GlobalVariable& variable : module.globals())
      if (!variable.isDeclaration() && !variable.hasPrivateLinkage() && variable.getAddressSpace() == 0 &&
          !variable.getName().starts_with("llvm.") && variable.getSection() != "llvm.metadata")
        variables.push_back(&variable);
    add_facts_table(module, request_.name, kernels, variables);
    clean(machine);
  }

private:
  TableKernel translate(const ir::KernelSignature& signature) {
    TableKernel out{&signature};
    for (const ir::KernelModule::Refusal& refused : module_.refused)
      if (refused.symbol == signature.symbol)
        out.problem = refused.error.message;
    llvm::Function* function = module_.module().getFunction(signature.symbol);
    if (!out.problem.empty() || !function)
      return out;
    keep_lanes_together(*function);
    const FlatKernel kernel = flatten_kernel(*function);
    Lowered lowered = lower_calls(*kernel.body, module_.warp_width);
    find_outside_variables(*kernel.body, lowered.problems);
    if (!lowered.problems.empty()) {
      out.problem = "not there on the processor: " + lowered.problems.front();
      unused_.push_back(kernel.body);
      return out;
    }
    guard_arithmetic(*kernel.body);
    out.use = memory_use(kernel);
    const bool has_atomics = lower_atomics(*kernel.body);
    if (request_.checked)
      check_accesses(kernel, module_.files);
    else
      lower_traps(kernel, module_.files);
    out.shared_bytes = kernel.shared_bytes;
    out.meets = lowered.meets;
    const GroupCode made =
        make_group_code(kernel, lowered.waits, !has_atomics, "forewarp." + signature.symbol);
    out.code = made.code;
    out.waits = made.waits;
    return out;
  }

  void clean(const llvm::TargetMachine& machine) {
    llvm::Module& module = module_.module();
    llvm::StripDebugInfo(module);
    for (llvm::Function* body : unused_)
      body->deleteBody();
    for (const char* list : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
      if (llvm::GlobalVariable* used = module.getGlobalVariable(list))
        used->eraseFromParent();
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (variable.getAddressSpace() != 0 && variable.use_empty())
        variable.eraseFromParent();
    }
    for (llvm::NamedMDNode& node : llvm::make_early_inc_range(module.named_metadata()))
      node.eraseFromParent();
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      for (const char* attribute : {"target-cpu", "target-features", "uniform-work-group-size"})
        function.removeFnAttr(attribute);
      function.setCallingConv(llvm::CallingConv::C);
      if (!function.isDeclaration() && !function.hasInternalLinkage())
        function.deleteBody();
    }
    for (llvm::Function& function : llvm::make_early_inc_range(module))
      if (function.isDeclaration() && function.use_empty())
        function.eraseFromParent();
    module.setTargetTriple(machine.getTargetTriple().str());
    module.setDataLayout(machine.createDataLayout());
  }

  ir::KernelModule& module_;
  const ObjectRequest& request_;
  std::vector<llvm::Function*> unused_;
};

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

Result<void> verified(const llvm::Module& module, const char* stage) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out))
    return fail(ErrorCode::internal,
                std::string("the kernels' code for this processor is broken ") + stage + ": " + message);
  return {};
}

} // namespace

Result<std::string> compile_to_object(ir::KernelModule& module, const ObjectRequest& request) {
  const auto machine = this_machine();
  if (!machine)
    return fail(ErrorCode::unsupported, "LLVM makes no code for this processor", "forewarp run");
  Translation(module, request).run(*machine);
  FOREWARP_TRY(verified(module.module(), "before its optimisation"));
  optimise(module.module(), *machine);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return fail(ErrorCode::internal, "LLVM writes no object files for this processor", "forewarp run");
  passes.run(module.module());
  return std::string(object.begin(), object.end());
}

} // namespace forewarp::native
