// Numbers of work-items and groups whose limits the compiler does not know.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

struct CompilerGeneration;

/// For NVIDIA's targets: takes the ranges of work-items' and groups' numbers away until loops are unrolled,
/// and gives them back then. cicc 13.0 knows none for sm_75 to sm_90 (`for (int i = threadIdx.x; i < 60; i +=
/// 16)` gets four copies as if it could run for ever), and does for sm_100 and later. To be added behind the
/// unrolling. `compiler` outlives the builder.
void add_unknown_ids(llvm::PassBuilder& builder, const CompilerGeneration& compiler);

} // namespace forewarp::frontend
