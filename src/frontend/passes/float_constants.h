// What NVIDIA's compilers make of float constants that appear during optimisation (a loop unrolled in full):
// approximations of them (lg2, ex2, sin, cos, sqrt) become constants, conversions of them to integers stay
// operations, which only the assembler computes (cicc and ptxas 13.0). This LLVM does both the other way
// round.
#pragma once

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace forewarp::frontend {

struct CompilerGeneration;

/// Hides conversions of floats to integers from the passes that follow, on NVIDIA targets, and folds
/// approximations where the generation's tools do. `compiler` outlives the builder.
void add_float_constants(llvm::PassBuilder& builder, const CompilerGeneration& compiler);

/// Puts the hidden conversions back: no pass may come after it.
void show_truncations(llvm::Module& module);

} // namespace forewarp::frontend
