#pragma once

namespace forewarp::frontend {

/// Options of LLVM that have no place in its interfaces, set once for the process before the first compile
/// and the same for every compile.
///
/// `instcombine-code-sinking` off: LLVM moves arithmetic that only a guarded store uses behind the guard,
/// away from its shared-memory loads, which then all stay in registers (a tiled convolution: 237 for the
/// device compiler's 71).
void settle_llvm_options();

} // namespace forewarp::frontend
