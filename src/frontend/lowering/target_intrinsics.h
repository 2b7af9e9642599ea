// Intrinsics of a target that are the same as an inline statement which is modelled.
#pragma once

#include <llvm/IR/Instructions.h>

namespace forewarp::frontend::lowering {

/// llvm.nvvm.ldmatrix.*: put in place as inline PTX is (inline_ptx.h). False: another call, or a form that is
/// not modelled; nothing is changed then.
bool expand_target_intrinsic(llvm::CallInst& call);

} // namespace forewarp::frontend::lowering
