#pragma once

namespace llvm {
class Module;
}

namespace forewarp::frontend::lowering {

/// Turns the stand-ins of atomicInc and atomicDec into atomicrmw uinc_wrap and udec_wrap; after the target's
/// IR passes.
void restore_wrapping_atomics(llvm::Module& module);

} // namespace forewarp::frontend::lowering
