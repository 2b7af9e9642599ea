// Remainders by a number that a loop doubles (or halves) stay remainders: NVIDIA's compilers up to CUDA 13.0
// make an AND only where the divisor is a power of two on its face, this LLVM sees it through the loop as
// well.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// NVIDIA targets only.
void add_kept_remainders(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
