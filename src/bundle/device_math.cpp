#include "bundle/device_math.h"

#include "gpu/gpu_file.h"
#include "ir/builtins.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace forewarp::bundle {
namespace {

/// Intrinsics without PTX instruction whose operands are all of the result's type.
constexpr llvm::Intrinsic::ID plain_math[] = {
    llvm::Intrinsic::sin,  llvm::Intrinsic::cos,  llvm::Intrinsic::tan,   llvm::Intrinsic::asin,
    llvm::Intrinsic::acos, llvm::Intrinsic::atan, llvm::Intrinsic::sinh,  llvm::Intrinsic::cosh,
    llvm::Intrinsic::tanh, llvm::Intrinsic::exp,  llvm::Intrinsic::exp2,  llvm::Intrinsic::exp10,
    llvm::Intrinsic::log,  llvm::Intrinsic::log2, llvm::Intrinsic::log10, llvm::Intrinsic::pow};

/// OpenCL's name of the function that a call stands for; "" where PTX has it.
std::string function_of(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee)
    return "";
  if (callee->getName().starts_with(llvm::StringRef(ir::builtins::math_prefix)))
    return callee->getName().drop_front(ir::builtins::math_prefix.size()).split('.').first.str();
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::powi)
    return "pown";
  if (id == llvm::Intrinsic::ldexp)
    return "ldexp";
  if (std::find(std::begin(plain_math), std::end(plain_math), id) == std::end(plain_math))
    return "";
  return llvm::Intrinsic::getBaseName(id).drop_front(sizeof "llvm." - 1).str();
}

/// Itanium mangling of a function of scalars: all types are builtin, so nothing is substituted.
std::string mangled(const std::string& name, const std::vector<llvm::Type*>& types) {
  std::string text = fmt::format("_Z{}{}", name.size(), name);
  for (llvm::Type* type : types)
    text += type->isDoubleTy() ? 'd' : type->isFloatTy() ? 'f' : 'i';
  return text;
}

/// Half is computed in float; libclc's gamma is the exponential of a logarithm, 80 units off for floats.
llvm::Type* computed_in(llvm::IRBuilder<>& builder, const std::string& name, llvm::Type* type) {
  if (name == "tgamma" && type->isFloatTy())
    return builder.getDoubleTy();
  return type->isHalfTy() ? builder.getFloatTy() : type;
}

/// x 2^n, rounded once: libclc's flushes what is below the normal numbers, and loses the NaN of doubles.
/// Steps of the largest and of the smallest power, the latter 2^digits away from where it would round.
llvm::Value* ldexp_code(llvm::IRBuilder<>& builder, llvm::Value* x, llvm::Value* n) {
  const bool wide = x->getType()->isDoubleTy();
  const int up = wide ? 1023 : 127, down = wide ? 1022 - 53 : 126 - 24;
  const auto power = [&](int exponent) {
    return llvm::ConstantFP::get(x->getType(), std::ldexp(1.0, exponent));
  };
  for (int step = 0; step < 2; ++step) {
    llvm::Value* high = builder.CreateICmpSGT(n, builder.getInt32(up));
    llvm::Value* low = builder.CreateICmpSLT(n, builder.getInt32(1 - up));
    llvm::Value* factor =
        builder.CreateSelect(high, power(up), builder.CreateSelect(low, power(-down), power(0)));
    llvm::Value* taken = builder.CreateSelect(
        high, builder.getInt32(up), builder.CreateSelect(low, builder.getInt32(-down), builder.getInt32(0)));
    x = builder.CreateFMul(x, factor);
    n = builder.CreateSub(n, taken);
  }
  n = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, n, builder.getInt32(up));
  n = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, n, builder.getInt32(1 - up));
  llvm::Value* biased = builder.CreateAdd(n, builder.getInt32(up));
  llvm::Value* bits = wide ? builder.CreateShl(builder.CreateZExt(biased, builder.getInt64Ty()), 52)
                           : builder.CreateShl(biased, 23);
  return builder.CreateFMul(x, builder.CreateBitCast(bits, x->getType()));
}

/// Calls of one function per component.
llvm::Value* scalar_call(llvm::IRBuilder<>& builder, const std::string& name, llvm::Type* result,
                         std::vector<llvm::Value*> operands) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::Type* made = computed_in(builder, name, result);
  std::vector<llvm::Type*> types;
  for (llvm::Value*& operand : operands) {
    types.push_back(computed_in(builder, name, operand->getType()));
    if (types.back() != operand->getType())
      operand = builder.CreateFPExt(operand, types.back());
  }
  llvm::Value* value = nullptr;
  if (name == "ldexp")
    value = ldexp_code(builder, operands[0], operands[1]);
  else
    value = builder.CreateCall(
        module.getOrInsertFunction(mangled(name, types), llvm::FunctionType::get(made, types, false)),
        operands);
  return made == result ? value : builder.CreateFPTrunc(value, result);
}

llvm::Value* replacement(llvm::CallInst& call, const std::string& name) {
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags(llvm::FastMathFlags()); // libclc's code rests on IEEE rules
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  if (!vector)
    return scalar_call(builder, name, call.getType(), {call.arg_begin(), call.arg_end()});
  llvm::Value* made = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    std::vector<llvm::Value*> operands;
    for (llvm::Value* operand : call.args())
      operands.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, i)
                                                          : operand);
    made =
        builder.CreateInsertElement(made, scalar_call(builder, name, vector->getElementType(), operands), i);
  }
  return made;
}

/// Number of calls that were replaced.
std::size_t replace_calls(llvm::Module& module) {
  std::vector<std::pair<llvm::CallInst*, std::string>> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (std::string name = function_of(*call); !name.empty())
          calls.emplace_back(call, std::move(name));
  for (const auto& [call, name] : calls) {
    call->replaceAllUsesWith(replacement(*call, name));
    call->eraseFromParent();
  }
  return calls.size();
}

Result<void> link_library(llvm::Module& module) {
  const std::string path = libclc_path();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path, diagnostic, module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return fail(ErrorCode::not_found, fmt::format("libclc cannot be read: {}", diagnostic.getMessage().str()),
                path, "install the package libclc-19, or set FOREWARP_LIBCLC to its nvptx64--nvidiacl.bc");
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    return fail(ErrorCode::internal, "libclc cannot be linked", path);
  return {};
}

/// libclc reads a table of bytes, whose alignment is one, by 16 bytes, the last ones behind its end: aligned
/// and filled up, no address is wrong.
void align_table(llvm::Module& module) {
  constexpr unsigned vector_bytes = 16;
  llvm::GlobalVariable* table = module.getNamedGlobal("PIBITS_TBL");
  auto* bytes = table && table->hasInitializer()
                    ? llvm::dyn_cast<llvm::ConstantDataArray>(table->getInitializer())
                    : nullptr;
  if (!bytes || !bytes->isString(8))
    return;
  std::string filled = bytes->getRawDataValues().str();
  filled.resize((filled.size() + vector_bytes - 1) / vector_bytes * vector_bytes);
  llvm::Constant* contents =
      llvm::ConstantDataArray::getString(module.getContext(), filled, /*AddNull=*/false);
  auto* made = new llvm::GlobalVariable(module, contents->getType(), true, llvm::GlobalValue::InternalLinkage,
                                        contents, "", table, llvm::GlobalValue::NotThreadLocal,
                                        table->getAddressSpace());
  made->setAlignment(llvm::Align(vector_bytes));
  table->replaceAllUsesWith(made);
  made->takeName(table);
  table->eraseFromParent();
}

/// Everything that came from the library goes into the kernels.
void inline_everything(llvm::Module& module, const std::vector<std::string>& kernels) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() ||
        std::find(kernels.begin(), kernels.end(), function.getName().str()) != kernels.end())
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

} // namespace

std::string libclc_path() {
  if (const char* given = std::getenv("FOREWARP_LIBCLC"))
    return given;
  const std::string name =
      "clc/nvptx64--nvidiacl.bc"; // below the data folder of a package, else of the distribution's
  if (const auto gpus = gpu::default_gpu_folder()) {
    std::error_code ignored;
    if (const auto shipped = gpus->parent_path() / name; std::filesystem::exists(shipped, ignored))
      return shipped.string();
  }
  return "/usr/lib/" + name;
}

Result<void> link_device_math(const ir::KernelModule& module) {
  llvm::Module& code = module.module();
  if (replace_calls(code) == 0)
    return {};
  FOREWARP_TRY(link_library(code));
  align_table(code);
  std::vector<std::string> kernels;
  for (const ir::KernelSignature& kernel : module.kernels)
    kernels.push_back(kernel.symbol);
  inline_everything(code, kernels);
  for (const llvm::Function& function : code)
    if (function.isDeclaration() && !function.use_empty() && !function.isIntrinsic() &&
        !function.getName().starts_with(llvm::StringRef(ir::builtins::prefix)))
      return fail(ErrorCode::unsupported,
                  fmt::format("libclc has no code for '{}'", function.getName().str()), "",
                  "leave this kernel out of a PTX bundle");
  if (llvm::verifyModule(code))
    return fail(ErrorCode::internal, "module is broken after linking libclc");
  return {};
}

} // namespace forewarp::bundle
