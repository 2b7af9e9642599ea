// Remainders by a number that a loop doubles (or halves) stay remainders: NVIDIA's compilers up to CUDA 13.0
// make an AND only where the divisor is a power of two on its face, this LLVM sees it through the loop as
// well. Divisions of a signed counter by a constant (`i /= 2`) stay signed: those compilers (listings of
// releases 7.5, 9.1, 10.1, 11.5, 12.0, 12.9 and 13.0) do not see that a counter which starts with half of
// blockDim is never negative.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// NVIDIA targets only.
void add_kept_remainders(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
