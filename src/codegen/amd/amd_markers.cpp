#include "codegen/amd/amd_markers.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

#include <fmt/format.h>
#include <string>
#include <vector>

namespace forewarp::codegen {

namespace {

/// Offsets of the implicit kernel arguments, code object version 5 (LLVM, "User Guide for AMDGPU Backend").
constexpr unsigned hidden_block_count = 0, hidden_group_size = 12;

llvm::Value* implicit_argument(llvm::IRBuilder<>& builder, unsigned offset, llvm::Type* type) {
  llvm::Value* base = builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_implicitarg_ptr, {}, {});
  llvm::Value* value =
      builder.CreateLoad(type, builder.CreateConstGEP1_32(builder.getInt8Ty(), base, offset));
  return builder.CreateZExt(value, builder.getInt32Ty());
}

llvm::Value* expand_size(llvm::IRBuilder<>& builder, llvm::StringRef name) {
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

/// Functions that the back end would turn into library calls, which it refuses.
bool needs_library(llvm::StringRef name) {
  static constexpr const char* never[] = {"llvm.pow.",  "llvm.tan.",  "llvm.asin.",
                                          "llvm.acos.", "llvm.atan.", "llvm.sinh.",
                                          "llvm.cosh.", "llvm.tanh.", "llvm.powi."};
  static constexpr const char* not_double[] = {"llvm.sin.", "llvm.cos.",  "llvm.exp.",   "llvm.exp2.",
                                               "llvm.log.", "llvm.log2.", "llvm.log10.", "llvm.exp10."};
  for (const char* prefix : never)
    if (name.starts_with(prefix))
      return true;
  if (!name.contains("f64"))
    return false;
  for (const char* prefix : not_double)
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// What one vector register operand of inline assembly may hold.
bool fits_register(const llvm::Type* type) {
  return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy() || type->isIntegerTy(16) ||
         type->isIntegerTy(32) || type->isIntegerTy(64);
}

/// One instruction with the call's operands and result; null: does not go into registers.
llvm::Value* opaque(llvm::IRBuilder<>& builder, const llvm::CallInst& call) {
  std::vector<llvm::Value*> operands;
  std::vector<llvm::Type*> types;
  std::string constraints = "=v";
  for (llvm::Value* argument : call.args()) {
    if (argument->getType()->isIntegerTy(1) || argument->getType()->isIntegerTy(8))
      argument = builder.CreateZExt(argument, builder.getInt32Ty());
    if (!fits_register(argument->getType()))
      return nullptr;
    operands.push_back(argument);
    types.push_back(argument->getType());
    constraints += ",v";
  }
  llvm::Type* type = call.getType();
  const bool narrow = type->isIntegerTy(1) || type->isIntegerTy(8);
  if (!narrow && !fits_register(type))
    return nullptr;
  llvm::Type* made_type = narrow ? builder.getInt32Ty() : type;
  auto* function = llvm::FunctionType::get(made_type, types, false);
  llvm::Value* made =
      builder.CreateCall(function, llvm::InlineAsm::get(function, "; opaque", constraints, false), operands);
  return narrow ? builder.CreateTrunc(made, type) : made;
}

} // namespace

Result<unsigned> expand_markers_amdgpu(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction();
            callee && (!callee->isIntrinsic() || needs_library(callee->getName())))
          calls.push_back(call);
  unsigned opaque_calls = 0;
  for (llvm::CallInst* call : calls) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    llvm::IRBuilder<> builder(call);
    if (name == "forewarp.warp.barrier") { // no instruction: a wave runs in lockstep
      call->eraseFromParent();
      continue;
    }
    if (name == "forewarp.grid.barrier") { // its other parts are code of the header
      builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_s_barrier, {}, {});
      call->eraseFromParent();
      continue;
    }
    llvm::Value* made = expand_size(builder, name);
    if (!made && !name.starts_with("forewarp.image.")) {
      made = opaque(builder, *call);
      opaque_calls += made != nullptr;
    }
    if (!made)
      return fail(ErrorCode::unsupported,
                  fmt::format("'{}' has no expansion for the AMDGPU back end", name.str()));
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
  return opaque_calls;
}

} // namespace forewarp::codegen
