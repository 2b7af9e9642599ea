// How far loops under `#pragma unroll` are unrolled for AMD's targets.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// ROCm's compilers of 2023 leave a loop under a pragma whose copies would be too many
/// (docs/models/machine_code/README.md has the evidence); this LLVM counts the same copies shorter and would
/// unroll it in full. Such a loop gets the largest number of copies that divides its trip count and stays
/// below the limit. Pragmas with a factor and loops without a pragma are left to LLVM, as are other targets.
void add_amd_unrolling(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
