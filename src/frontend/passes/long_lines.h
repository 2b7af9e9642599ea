// Kernels whose loops were unrolled whole: a straight line of hundreds of loads, where passes that look back
// from each load at all that lies before it take most of the time of a compile.
#pragma once

#include <cstddef>

namespace llvm {
class Function;
class PassBuilder;
} // namespace llvm

namespace forewarp::frontend {

/// Loads of the chain of blocks, each the only way into the next, that has most.
std::size_t loads_of_longest_line(const llvm::Function& function);

/// In functions with a line of more than 600 loads, -O3's value numbering leaves memory out (loads already
/// loaded before are found by memory SSA in the target's pipeline, or by the AMD back end's own numbering).
/// `builder` must have instrumentation callbacks; each compile needs its own.
void add_long_line_numbering(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
