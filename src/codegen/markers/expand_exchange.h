// Warp-exchange markers (ir/builtins.h) as NVPTX intrinsics.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace forewarp::codegen {

/// The value of a call of `forewarp.warp.<name>` by all lanes of the warp, built in front of it; null: no
/// such marker. Exited lanes do not take part (PTX ISA, shfl.sync and vote.sync).
llvm::Value* expand_exchange_nvptx(llvm::IRBuilder<>& builder, const llvm::CallInst& call);

} // namespace forewarp::codegen
