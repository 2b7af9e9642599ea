// Arithmetic that LLVM has no instruction or intrinsic of its own for.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace forewarp::native {

/// `llvm.nvvm.<name>`: the approximate forms are computed exactly. Null: not known.
llvm::Value* lower_target_math(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name);
/// `forewarp.math.<name>`: the C library's function. Null: not known, or a vector.
llvm::Value* lower_math_marker(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name);
/// The same arguments to a function of the library that runs kernels.
llvm::Value* call_helper(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef helper);

} // namespace forewarp::native
