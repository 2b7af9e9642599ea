#include "frontend/targets.h"

#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

namespace forewarp::frontend {

void register_targets() {
  static const bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeX86TargetInfo();
    return true;
  }();
  (void)once;
}

const char* triple_of(ir::TargetFamily family) {
  return family == ir::TargetFamily::nvidia ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa";
}

std::string features_of(ir::TargetFamily family, const std::string& processor, unsigned warp_width) {
  if (family == ir::TargetFamily::nvidia)
    return "+ptx83"; // only what instructions may be named, not what the machine can do
  bool has_choice = processor.starts_with("gfx1"); // RDNA runs 32 or 64 wide, GCN and CDNA 64 only
  return has_choice ? (warp_width == 64 ? "+wavefrontsize64" : "+wavefrontsize32") : "";
}

bool flushes_denormals(ir::TargetFamily family, const std::string& processor) {
  return family == ir::TargetFamily::amd && processor.size() == 6 &&
         (processor.starts_with("gfx6") || processor.starts_with("gfx7") || processor.starts_with("gfx8"));
}

Result<void> check_processor(ir::TargetFamily family, const std::string& processor) {
  register_targets();
  std::string message;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple_of(family), message);
  if (!target)
    return fail(ErrorCode::internal,
                "LLVM lacks the target " + std::string(triple_of(family)) + ": " + message);
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple_of(family), "", ""));
  if (!info || !info->isCPUStringValid(processor))
    return fail(ErrorCode::unsupported, "the compiler does not know the processor '" + processor + "'", {},
                "name a neighbour that LLVM 19 knows (sm_20 to sm_90a, gfx600 to gfx1201)");
  return {};
}

std::unique_ptr<llvm::TargetMachine>
make_target_machine(const llvm::Module& module, const std::string& processor, const std::string& features) {
  register_targets();
  std::string message;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), message);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(module.getTargetTriple(), processor, features, llvm::TargetOptions(),
                                  llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

} // namespace forewarp::frontend
