#include "codegen/amd_resources.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <vector>

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

/// Offsets of the implicit kernel arguments, code object version 5 (LLVM, "User Guide for AMDGPU Backend").
constexpr unsigned hidden_block_count = 0, hidden_group_size = 12;

llvm::Value* implicit_argument(llvm::IRBuilder<>& builder, unsigned offset, llvm::Type* type) {
  llvm::Value* base = builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_implicitarg_ptr, {}, {});
  llvm::Value* value =
      builder.CreateLoad(type, builder.CreateConstGEP1_32(builder.getInt8Ty(), base, offset));
  return builder.CreateZExt(value, builder.getInt32Ty());
}

llvm::Value* expand(llvm::IRBuilder<>& builder, llvm::StringRef name) {
  const unsigned dimension = name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 0;
  const auto size = [&] {
    return implicit_argument(builder, hidden_group_size + 2 * dimension, builder.getInt16Ty());
  };
  const auto count = [&] {
    return implicit_argument(builder, hidden_block_count + 4 * dimension, builder.getInt32Ty());
  };
  if (name.contains("local_size") || name.contains("enqueued_size"))
    return size();
  if (name.contains("num_groups"))
    return count();
  if (name.contains("global_size"))
    return builder.CreateMul(size(), count());
  if (name.ends_with("work_dim"))
    return builder.getInt32(3);
  return nullptr;
}

Result<void> expand_markers(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction(); callee && !callee->isIntrinsic())
          calls.push_back(call);
  for (llvm::CallInst* call : calls) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    llvm::IRBuilder<> builder(call);
    llvm::Value* made = expand(builder, name);
    if (!made)
      return fail(ErrorCode::unsupported,
                  fmt::format("'{}' has no expansion for the AMDGPU back end", name.str()));
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
  return {};
}

/// Functions that the back end would turn into library calls, which it refuses.
Result<void> check_selectable(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (!function.isIntrinsic() || function.use_empty())
      continue;
    const llvm::StringRef name = function.getName();
    const bool wide = name.contains(".f64") || name.contains("f64");
    static constexpr const char* never[] = {"llvm.pow.",  "llvm.tan.",  "llvm.asin.",
                                            "llvm.acos.", "llvm.atan.", "llvm.sinh.",
                                            "llvm.cosh.", "llvm.tanh.", "llvm.powi."};
    static constexpr const char* not_double[] = {"llvm.sin.", "llvm.cos.",  "llvm.exp.",   "llvm.exp2.",
                                                 "llvm.log.", "llvm.log2.", "llvm.log10.", "llvm.exp10."};
    bool refused = false;
    for (const char* prefix : never)
      refused = refused || name.starts_with(prefix);
    for (const char* prefix : not_double)
      refused = refused || (wide && name.starts_with(prefix));
    if (refused)
      return fail(ErrorCode::unsupported,
                  fmt::format("'{}' has no lowering in the AMDGPU back end", name.str()));
  }
  return {};
}

const llvm::Target* amdgpu_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
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

} // namespace

Result<facts::ResourceUse> amd_resources(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                         const std::string& target) {
  std::map<std::string, double> values;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<ResourceRemarks>(values));
  std::unique_ptr<llvm::Module> clone = copy(module.module(), kernel.symbol, context);
  if (!clone)
    return fail(ErrorCode::internal, "the module could not be copied");
  FOREWARP_TRY(expand_markers(*clone));
  FOREWARP_TRY(check_selectable(*clone));
  if (llvm::Function* function = clone->getFunction(kernel.symbol)) {
    function->setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
    function->addFnAttr("target-cpu", target);
  }
  const llvm::Target* backend = amdgpu_target();
  if (!backend)
    return fail(ErrorCode::internal, "LLVM was built without its AMDGPU back end");
  std::unique_ptr<llvm::TargetMachine> machine(
      backend->createTargetMachine("amdgcn-amd-amdhsa", target, "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                   std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  clone->setDataLayout(machine->createDataLayout());
  llvm::SmallString<4096> text;
  llvm::raw_svector_ostream out(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return fail(ErrorCode::internal, "the AMDGPU back end cannot write assembly");
  passes.run(*clone);
  if (!values.contains("NumVGPR"))
    return fail(ErrorCode::unsupported, "the AMDGPU back end reported no resources", kernel.name);
  facts::ResourceUse use;
  use.source = "amdgpu backend";
  use.registers_per_thread = values["NumVGPR"] + values["NumAGPR"];
  use.scalar_registers = values["NumSGPR"];
  use.spill_bytes_per_thread = 4 * values["VGPRSpill"];
  use.local_bytes_per_thread = static_cast<std::uint64_t>(values["ScratchSize"]);
  use.static_shared_bytes = static_cast<std::uint64_t>(values["BytesLDS"]);
  return use;
}

} // namespace forewarp::codegen
