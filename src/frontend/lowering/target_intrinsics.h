// Intrinsics of a target as plainer IR.
#pragma once

#include <llvm/IR/Instructions.h>

namespace forewarp::frontend::lowering {

/// Matrices from and to shared memory, barriers of all kinds and bulk copies' groups, put in place as inline
/// PTX is (inline_ptx.h); halves of doubles (llvm.nvvm.d2i.lo and kin); AMD's buffers (amd_buffers.h). False:
/// another call, or a form that is not modelled; nothing is changed then.
bool expand_target_intrinsic(llvm::CallInst& call);

} // namespace forewarp::frontend::lowering
