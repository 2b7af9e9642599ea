#include "corpus/machine_code/amd_object.h"

#include "codegen/amd/amd_markers.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace forewarp::corpus {

Result<std::string> amd_object(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                               const std::string& target) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser();
  const auto copy = llvm::CloneModule(module.module());
  llvm::Function* function = copy->getFunction(kernel.symbol);
  if (function == nullptr)
    return fail(ErrorCode::internal, "the kernel is not in its module");
  const auto opaque = codegen::expand_markers_amdgpu(*copy);
  FOREWARP_TRY(opaque);
  if (*opaque > 0)
    return fail(ErrorCode::unsupported, fmt::format("{} calls of library functions", *opaque));
  function->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  function->addFnAttr("target-cpu", target);
  if (!kernel.required_group_size && !kernel.max_group_threads)
    function->addFnAttr("amdgpu-flat-work-group-size", "1,1024"); // HIP's default, not OpenCL's
  copy->setTargetTriple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target* backend = llvm::TargetRegistry::lookupTarget("amdgcn-amd-amdhsa", error);
  if (backend == nullptr)
    return fail(ErrorCode::internal, error);
  const std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine("amdgcn-amd-amdhsa", target, "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                   std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  copy->setDataLayout(machine->createDataLayout());
  llvm::SmallString<4096> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return fail(ErrorCode::internal, "the back end writes no objects");
  passes.run(*copy);
  return std::string(bytes.str());
}

} // namespace forewarp::corpus
