#pragma once

namespace forewarp::frontend {

/// Options of LLVM that have no place in its interfaces, set once for the process before the first compile
/// and the same for every compile.
///
/// `instcombine-code-sinking` off: LLVM moves arithmetic that only a guarded store uses behind the guard,
/// away from its shared-memory loads, which then all stay in registers (a tiled convolution: 237 for the
/// device compiler's 71).
/// `fast-cluster-threshold` 30 (thousands; LLVM's is 1000): where the memory accesses times the instructions
/// of a stretch are more, the schedulers of the AMD back end put accesses side by side without asking, for
/// each two of them, which of all others lie between (a fifth of the time of its convolutions; predictions of
/// such kernels move by 0.1 % in the mean).
void settle_llvm_options();

} // namespace forewarp::frontend
