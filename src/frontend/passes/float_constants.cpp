#include "frontend/passes/float_constants.h"

#include "frontend/passes/compiler_generation.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::frontend {

namespace {

constexpr const char* hidden_name = "forewarp.truncation.";

std::optional<double> approximation(llvm::Intrinsic::ID id, double x) {
  switch (id) {
  case llvm::Intrinsic::nvvm_lg2_approx_f:
  case llvm::Intrinsic::nvvm_lg2_approx_ftz_f:
    return std::log2(x);
  case llvm::Intrinsic::nvvm_ex2_approx_f:
  case llvm::Intrinsic::nvvm_ex2_approx_ftz_f:
    return std::exp2(x);
  case llvm::Intrinsic::nvvm_sin_approx_f:
  case llvm::Intrinsic::nvvm_sin_approx_ftz_f:
    return std::sin(x);
  case llvm::Intrinsic::nvvm_cos_approx_f:
  case llvm::Intrinsic::nvvm_cos_approx_ftz_f:
    return std::cos(x);
  case llvm::Intrinsic::nvvm_sqrt_approx_f:
  case llvm::Intrinsic::nvvm_sqrt_approx_ftz_f:
    return std::sqrt(x);
  default:
    return std::nullopt;
  }
}

llvm::Constant* folded(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const auto* x =
      call && call->arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantFP>(call->getArgOperand(0)) : nullptr;
  if (x == nullptr)
    return nullptr;
  const auto value = approximation(call->getIntrinsicID(), x->getValueAPF().convertToDouble());
  return value ? llvm::ConstantFP::get(call->getType(), static_cast<float>(*value)) : nullptr;
}

class FoldApproximations : public llvm::PassInfoMixin<FoldApproximations> {
public:
  explicit FoldApproximations(const CompilerGeneration& compiler) : compiler_(compiler) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
        if (llvm::Constant* constant = folded(instruction)) {
          function.addFnAttr(approximations_rule.mark);
          if (!compiler_.folds_approximations)
            continue;
          instruction.replaceAllUsesWith(constant);
          instruction.eraseFromParent();
          changed = true;
        }
    if (!changed)
      return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }

private:
  const CompilerGeneration& compiler_;
};

/// A function without a body and without effects in place of the conversion, which no pass looks into.
struct HideTruncations : llvm::PassInfoMixin<HideTruncations> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::Module& module = *function.getParent();
    if (!llvm::Triple(module.getTargetTriple()).isNVPTX())
      return llvm::PreservedAnalyses::all();
    std::vector<llvm::CastInst*> found;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(instruction) &&
            instruction.getType()->isIntegerTy())
          found.push_back(llvm::cast<llvm::CastInst>(&instruction));
    for (llvm::CastInst* cast : found)
      hide(*cast, module);
    return found.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }

  static void hide(llvm::CastInst& cast, llvm::Module& module) {
    llvm::Type *from = cast.getSrcTy(), *to = cast.getDestTy();
    const std::string types =
        std::to_string(from->getScalarSizeInBits()) + "." + std::to_string(to->getIntegerBitWidth());
    llvm::FunctionCallee callee = module.getOrInsertFunction(
        hidden_name + std::string(cast.getOpcodeName()) + types, llvm::FunctionType::get(to, {from}, false));
    auto* hidden = llvm::cast<llvm::Function>(callee.getCallee());
    hidden->setDoesNotAccessMemory();
    hidden->setDoesNotThrow();
    hidden->setWillReturn();
    hidden->setSpeculatable();
    cast.replaceAllUsesWith(llvm::IRBuilder<>(&cast).CreateCall(callee, {cast.getOperand(0)}));
    cast.eraseFromParent();
  }
};

/// Not through a builder, which would compute the conversion of a constant.
void show(llvm::CallInst& call, llvm::Instruction::CastOps operation) {
  auto* cast = llvm::CastInst::Create(operation, call.getArgOperand(0), call.getType(), "", &call);
  cast->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(cast);
  call.eraseFromParent();
}

} // namespace

void add_float_constants(llvm::PassBuilder& builder, const CompilerGeneration& compiler) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(HideTruncations()));
      });
  builder.registerPeepholeEPCallback([&compiler](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(FoldApproximations(compiler));
  });
}

void show_truncations(llvm::Module& module) {
  std::vector<llvm::Function*> hidden;
  for (llvm::Function& function : module)
    if (function.getName().starts_with(hidden_name))
      hidden.push_back(&function);
  for (llvm::Function* function : hidden) {
    const auto operation =
        function->getName().contains("fptosi") ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI;
    for (llvm::User* user : llvm::make_early_inc_range(function->users()))
      show(*llvm::cast<llvm::CallInst>(user), operation);
    function->eraseFromParent();
  }
}

} // namespace forewarp::frontend
