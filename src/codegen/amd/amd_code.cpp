#include "codegen/amd/amd_code.h"

#include "codegen/amd/amd_collect.h"
#include "codegen/amd/amd_divisions.h"
#include "codegen/amd/amd_markers.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <map>
#include <mutex>

namespace forewarp::codegen {

namespace {

constexpr const char* remark_pass = "kernel-resource-usage";

/// Collects "NumVGPR: 24" and its like for the kernel.
class ResourceRemarks : public llvm::DiagnosticHandler {
public:
  explicit ResourceRemarks(std::map<std::string, double>& values) : values_(values) {}
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return pass == remark_pass; }
  bool isAnyRemarkEnabled() const override { return true; }
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info);
    if (!remark)
      return true; // nothing reaches the user from here
    if (remark->getPassName() == remark_pass)
      for (const auto& argument : remark->getArgs()) {
        double value = 0;
        if (!llvm::StringRef(argument.Val).getAsDouble(value))
          values_[argument.Key] = value;
      }
    return true;
  }

private:
  std::map<std::string, double>& values_;
};

const llvm::Target* amdgpu_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
  });
  std::string ignored;
  return llvm::TargetRegistry::lookupTarget("amdgcn-amd-amdhsa", ignored);
}

/// A copy in a context of its own, with this kernel alone.
std::unique_ptr<llvm::Module> copy(const llvm::Module& module, const std::string& symbol,
                                   llvm::LLVMContext& context) {
  llvm::SmallString<8192> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out);
  auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes.str(), "kernel"), context);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return nullptr;
  }
  std::vector<llvm::Function*> others;
  for (llvm::Function& function : **parsed)
    if (!function.isDeclaration() && function.getName() != symbol)
      others.push_back(&function);
  for (llvm::Function* function : others) {
    function->replaceAllUsesWith(llvm::PoisonValue::get(function->getType()));
    function->eraseFromParent();
  }
  return std::move(*parsed);
}

/// Code generation to the end, with the collector before the printer (whose remarks name the resources).
Result<void> generate(llvm::LLVMTargetMachine& machine, llvm::Module& module, const std::string& symbol,
                      std::vector<std::uint32_t> block_of_ordinal,
                      std::vector<std::vector<AmdInstruction>>& blocks) {
  llvm::SmallString<4096> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  auto* info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig* config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses())
    return fail(ErrorCode::internal, "the AMDGPU back end cannot select instructions");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(create_amd_collector(symbol, std::move(block_of_ordinal), blocks));
  if (machine.addAsmPrinter(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile,
                            info->getMMI().getContext()))
    return fail(ErrorCode::internal, "the AMDGPU back end cannot write assembly");
  passes.run(module);
  return {};
}

} // namespace

void describe(llvm::StringRef name, facts::OpClass op, AmdInstruction& out) {
  out.op = op;
  if (op == facts::OpClass::tensor_mma)
    out.product = amdgcn::matrix_product(name);
  if (facts::is_memory(op) || op == facts::OpClass::scalar_load)
    out.width_bytes = static_cast<std::uint16_t>(amdgcn::width_of_amd(name));
  out.slow_double = op == facts::OpClass::sfu && name.contains("F64");
  out.wide_integer = amdgcn::is_wide_integer(name);
  out.two_addresses = name.starts_with("DS_READ2") || name.starts_with("DS_WRITE2");
}

Result<AmdCode> amd_code(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                         const std::string& target, const gpu::CompilerRules& compiler) {
  std::map<std::string, double> values;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<ResourceRemarks>(values));
  std::unique_ptr<llvm::Module> clone = copy(module.module(), kernel.symbol, context);
  llvm::Function* function = clone ? clone->getFunction(kernel.symbol) : nullptr;
  if (!function)
    return fail(ErrorCode::internal, "the module could not be copied");
  std::vector<std::uint32_t> block_of_ordinal = mark_instructions(*function);
  AmdCode code;
  auto opaque_calls = expand_markers_amdgpu(*clone);
  FOREWARP_TRY(opaque_calls);
  code.opaque_calls = *opaque_calls;
  if (!compiler.hoists_reciprocals)
    keep_reciprocals_in_place(*function);
  function->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  function->addFnAttr("target-cpu", target);
  if (compiler.closed)
    function->addFnAttr("amdgpu-waves-per-eu", "1,8");
  const llvm::Target* backend = amdgpu_target();
  if (!backend)
    return fail(ErrorCode::internal, "LLVM was built without its AMDGPU back end");
  std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine("amdgcn-amd-amdhsa", target, "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                   std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  clone->setDataLayout(machine->createDataLayout());
  code.blocks.resize(function->size());
  FOREWARP_TRY(generate(static_cast<llvm::LLVMTargetMachine&>(*machine), *clone, kernel.symbol,
                        std::move(block_of_ordinal), code.blocks));
  if (!values.contains("NumVGPR"))
    return fail(ErrorCode::unsupported, "the AMDGPU back end reported no resources", kernel.name);
  facts::ResourceUse& use = code.resources;
  use.source = "amdgpu backend";
  use.registers_per_thread = values["NumVGPR"] + values["NumAGPR"];
  use.scalar_registers = values["NumSGPR"];
  use.spill_bytes_per_thread = 4 * values["VGPRSpill"];
  use.local_bytes_per_thread = static_cast<std::uint64_t>(values["ScratchSize"]);
  use.static_shared_bytes = static_cast<std::uint64_t>(values["BytesLDS"]);
  return code;
}

} // namespace forewarp::codegen
