#include "codegen/markers/ptx.h"

#include "codegen/markers/expand_markers.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <vector>

namespace forewarp::codegen {

namespace {

/// First PTX version of each target, as the PTX ISA document's release notes (section "Target directive")
/// list them.
struct PtxVersion {
  const char* target;
  int version;
};
constexpr PtxVersion ptx_versions[] = {
    {"sm_20", 32}, {"sm_21", 32}, {"sm_30", 32}, {"sm_32", 40}, {"sm_35", 32}, {"sm_37", 41}, {"sm_50", 40},
    {"sm_52", 41}, {"sm_53", 42}, {"sm_60", 50}, {"sm_61", 50}, {"sm_62", 50}, {"sm_70", 60}, {"sm_72", 61},
    {"sm_75", 63}, {"sm_80", 70}, {"sm_86", 71}, {"sm_87", 74}, {"sm_89", 78}, {"sm_90", 78}, {"sm_90a", 80}};

std::string feature_of(const std::string& target) {
  // Warp exchange with masks came with 6.0 (CUDA 9), for all targets that it knows.
  constexpr int warp_exchange = 60, first_of_today = 40;
  for (const PtxVersion& row : ptx_versions)
    if (target == row.target)
      return fmt::format("+ptx{}",
                         row.version < first_of_today ? row.version : std::max(row.version, warp_exchange));
  return "";
}

const llvm::Target* nvptx_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string ignored;
  return llvm::TargetRegistry::lookupTarget("nvptx64-nvidia-cuda", ignored);
}

/// Leaves out what changes code that was optimised before.
class SelectionOnly : public llvm::legacy::PassManagerBase {
public:
  explicit SelectionOnly(llvm::legacy::PassManagerBase& passes) : passes_(passes) {}
  void add(llvm::Pass* pass) override {
    static constexpr llvm::StringRef changing[] = {
        "Nary reassociation",
        "Straight line strength reduction",
        "Split GEPs to a variadic base and a constant offset for better CSE",
        "Global Value Numbering",
        "Early CSE",
        "Early GVN Hoisting of Expressions",
        "Speculatively execute instructions",
        "Canonicalize natural loops",
        "Canonicalize Freeze Instructions in Loops",
        "Loop Strength Reduction",
        "GPU Load and Store Vectorizer",
        "CodeGen Prepare",
        "Constant Hoisting",
        "Merge contiguous icmps into a memcmp",
        "Early Tail Duplication",
        "Early Machine Loop Invariant Code Motion",
        "Machine Common Subexpression Elimination",
        "Machine code sinking",
        "Peephole Optimizations",
        "Machine Loop Invariant Code Motion",
        "Optimize machine instruction PHIs",
        "Control Flow Optimizer",
        "Tail Duplication",
        "Machine Instruction Scheduler",
        "Branch Probability Basic Block Placement"};
    if (std::ranges::find(changing, pass->getPassName()) == std::end(changing))
      return passes_.add(pass);
    delete pass; // the manager's, had it got it
  }

private:
  llvm::legacy::PassManagerBase& passes_;
};

/// The kernel alone, with the attributes of the target asked for.
void isolate(llvm::Module& module, const std::string& symbol, const std::string& target,
             const std::string& feature) {
  std::vector<llvm::Function*> others;
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    if (function.getName() != symbol) {
      others.push_back(&function);
      continue;
    }
    function.setCallingConv(llvm::CallingConv::PTX_Kernel);
    function.addFnAttr("target-cpu", target);
    function.addFnAttr("target-features", feature);
  }
  for (llvm::Function* function : others) {
    function->replaceAllUsesWith(llvm::PoisonValue::get(function->getType()));
    function->eraseFromParent();
  }
  llvm::StripDebugInfo(module);
}

} // namespace

Result<std::string> emit_ptx(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                             const std::string& target, PtxPasses chosen) {
  if (module.family != ir::TargetFamily::nvidia)
    return fail(ErrorCode::unsupported, "PTX of a module that was compiled for AMD");
  const std::string feature = feature_of(target);
  if (feature.empty())
    return fail(ErrorCode::unsupported, fmt::format("LLVM has no PTX for target '{}'", target));
  std::unique_ptr<llvm::Module> clone = llvm::CloneModule(module.module());
  isolate(*clone, kernel.symbol, target, feature);
  FOREWARP_TRY(expand_markers_nvptx(*clone));
  const llvm::Function* function = clone->getFunction(kernel.symbol);
  if (!function)
    return fail(ErrorCode::internal, fmt::format("kernel '{}' is not in its module", kernel.symbol));
  FOREWARP_TRY(check_selectable_nvptx(*function));
  if (llvm::verifyModule(*clone))
    return fail(ErrorCode::internal, "module is broken after marker expansion", kernel.name);

  const llvm::Target* backend = nvptx_target();
  if (!backend)
    return fail(ErrorCode::internal, "LLVM was built without its NVPTX back end");
  std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine("nvptx64-nvidia-cuda", target, feature, llvm::TargetOptions(),
                                   llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  clone->setDataLayout(machine->createDataLayout());
  llvm::SmallString<4096> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  SelectionOnly filtered(passes);
  llvm::legacy::PassManagerBase& target_passes =
      chosen == PtxPasses::all ? static_cast<llvm::legacy::PassManagerBase&>(passes) : filtered;
  if (machine->addPassesToEmitFile(target_passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return fail(ErrorCode::internal, "the NVPTX back end cannot write assembly");
  passes.run(*clone);
  return std::string(text.str());
}

} // namespace forewarp::codegen
