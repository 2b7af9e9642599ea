// atomicInc and atomicDec (atom.inc, atom.dec).
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace llvm {
class Module;
}

namespace forewarp::frontend::lowering {

/// A stand-in for atomicrmw uinc_wrap or udec_wrap of 32 bits, which the target's IR passes would take apart.
llvm::Value* wrapping_atomic(llvm::IRBuilder<>& builder, llvm::AtomicRMWInst::BinOp operation,
                             llvm::Value* address, llvm::Value* value);

/// Turns the stand-ins into atomicrmw uinc_wrap and udec_wrap; after the target's IR passes.
void restore_wrapping_atomics(llvm::Module& module);

} // namespace forewarp::frontend::lowering
