// Accesses through AMD's buffer resources as accesses of global memory.
#pragma once

#include <llvm/IR/Instructions.h>

namespace forewarp::frontend::lowering {

/// llvm.amdgcn.raw.ptr.buffer.{load,store} through a resource that llvm.amdgcn.make.buffer.rsrc makes in the
/// same function: an access under the condition that its offset is below the number of bytes, as the hardware
/// checks it; a load beyond gives zero. The branch costs what the hardware's check does not. False: another
/// call, or a resource from elsewhere; nothing is changed then. Not modelled: strides, swizzles, cache
/// policies.
bool expand_amd_buffer(llvm::CallInst& call);

} // namespace forewarp::frontend::lowering
