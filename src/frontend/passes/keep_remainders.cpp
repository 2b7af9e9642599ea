#include "frontend/passes/keep_remainders.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <string>
#include <vector>

namespace forewarp::frontend {

namespace {

constexpr const char* hidden_name = "forewarp.remainder.";
constexpr const char* start_name = "forewarp.start.";
constexpr unsigned max_steps = 4; ///< from a divisor to its loop: shifts, products, casts

bool comes_from_a_loop(const llvm::Value* divisor) {
  for (unsigned step = 0; step < max_steps; ++step) {
    if (llvm::isa<llvm::PHINode>(divisor))
      return true;
    const auto* made = llvm::dyn_cast<llvm::Instruction>(divisor);
    if (made == nullptr ||
        !(made->isShift() || made->isCast() || made->getOpcode() == llvm::Instruction::Mul))
      return false;
    const bool constant_first = llvm::isa<llvm::Constant>(made->getOperand(0)) && made->getNumOperands() > 1;
    divisor = made->getOperand(constant_first ? 1 : 0);
  }
  return false;
}

bool is_remainder(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::URem ||
         instruction.getOpcode() == llvm::Instruction::SRem;
}

/// A function without a body and without effects, which no pass looks into.
llvm::FunctionCallee opaque(llvm::Module& module, const std::string& name, llvm::FunctionType* type) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, type);
  auto* hidden = llvm::cast<llvm::Function>(callee.getCallee());
  hidden->setDoesNotAccessMemory();
  hidden->setDoesNotThrow();
  hidden->setWillReturn();
  return callee;
}

/// The other value of a loop's counter that is divided by a constant each time; null where it is none, or
/// where it is a constant: then the number of iterations is known.
llvm::Use* start_of_divided(llvm::PHINode& counter) {
  if (!counter.getType()->isIntegerTy() || counter.getNumIncomingValues() != 2)
    return nullptr;
  for (unsigned next = 0; next < 2; ++next) {
    const auto* divided = llvm::dyn_cast<llvm::BinaryOperator>(counter.getIncomingValue(next));
    llvm::Use& start = counter.getOperandUse(1 - next);
    if (divided != nullptr && divided->getOpcode() == llvm::Instruction::SDiv &&
        divided->getOperand(0) == &counter && llvm::isa<llvm::ConstantInt>(divided->getOperand(1)) &&
        llvm::isa<llvm::Instruction>(start.get()))
      return &start;
  }
  return nullptr;
}

struct HideRemainders : llvm::PassInfoMixin<HideRemainders> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::Module& module = *function.getParent();
    if (!llvm::Triple(module.getTargetTriple()).isNVPTX())
      return llvm::PreservedAnalyses::all();
    std::vector<llvm::BinaryOperator*> found;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (is_remainder(instruction) && instruction.getType()->isIntegerTy() &&
            comes_from_a_loop(instruction.getOperand(1)) &&
            llvm::isKnownToBeAPowerOfTwo(instruction.getOperand(1), module.getDataLayout(), true))
          found.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
    for (llvm::BinaryOperator* operation : found)
      hide(*operation, module);
    bool changed = !found.empty();
    for (llvm::BasicBlock& block : function)
      for (llvm::PHINode& counter : block.phis())
        if (llvm::Use* start = start_of_divided(counter)) {
          hide_start(*start, module);
          changed = true;
        }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }

  static void hide_start(llvm::Use& start, llvm::Module& module) {
    auto* value = llvm::cast<llvm::Instruction>(start.get());
    llvm::Type* type = value->getType();
    llvm::IRBuilder<> builder(
        llvm::cast<llvm::PHINode>(start.getUser())->getIncomingBlock(start)->getTerminator());
    start.set(builder.CreateCall(opaque(module, start_name + std::to_string(type->getIntegerBitWidth()),
                                        llvm::FunctionType::get(type, {type}, false)),
                                 {value}));
  }

  static void hide(llvm::BinaryOperator& operation, llvm::Module& module) {
    llvm::Type* type = operation.getType();
    llvm::FunctionCallee callee = opaque(module,
                                         hidden_name + std::string(operation.getOpcodeName()) +
                                             std::to_string(type->getIntegerBitWidth()),
                                         llvm::FunctionType::get(type, {type, type}, false));
    llvm::IRBuilder<> builder(&operation);
    operation.replaceAllUsesWith(
        builder.CreateCall(callee, {operation.getOperand(0), operation.getOperand(1)}));
    operation.eraseFromParent();
  }
};

/// The operations again. An unsigned one by a divisor that has become a constant (the loop was unrolled in
/// full) is an AND.
struct ShowRemainders : llvm::PassInfoMixin<ShowRemainders> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    std::vector<llvm::Function*> hidden;
    for (llvm::Function& function : module)
      if (function.getName().starts_with(hidden_name) || function.getName().starts_with(start_name))
        hidden.push_back(&function);
    for (llvm::Function* function : hidden) {
      for (llvm::User* user : llvm::make_early_inc_range(function->users()))
        show(*llvm::cast<llvm::CallInst>(user));
      function->eraseFromParent();
    }
    return hidden.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }

  static void show(llvm::CallInst& call) {
    if (call.getCalledFunction()->getName().starts_with(start_name)) {
      call.replaceAllUsesWith(call.getArgOperand(0));
      call.eraseFromParent();
      return;
    }
    llvm::IRBuilder<> builder(&call);
    llvm::Value *value = call.getArgOperand(0), *divisor = call.getArgOperand(1);
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
    llvm::Value* shown = nullptr;
    if (call.getCalledFunction()->getName().contains("srem"))
      shown = builder.CreateSRem(value, divisor);
    else if (constant && constant->getValue().isPowerOf2())
      shown = builder.CreateAnd(value, constant->getValue() - 1);
    else
      shown = builder.CreateURem(value, divisor);
    call.replaceAllUsesWith(shown);
    call.eraseFromParent();
  }
};

} // namespace

void add_kept_remainders(llvm::PassBuilder& builder) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(HideRemainders()));
      });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(ShowRemainders()); });
}

} // namespace forewarp::frontend
