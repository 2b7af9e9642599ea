// Loops under `#pragma unroll` whose copies exceed LLVM's limit, on NVIDIA GPUs.
#pragma once

#include "frontend/passes/compiler_generation.h"

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// LLVM unrolls a loop under a pragma in full up to 16,384 operations of all copies. NVRTC 9.1 and 10.1 go on
/// to 49,152 (loops of ours: 46,240 and 48,000 are unrolled, 51,408 and 54,000 are not); 7.5 and 11.5 to 12.9
/// do not. Before LLVM's full unrolling; inner loops have been unrolled by then.
void add_long_pragmas(llvm::PassBuilder& builder, const CompilerGeneration& compiler);

} // namespace forewarp::frontend
