// Loops that index a private array are unrolled in full where their trip count is a small constant, so that
// the array lives in registers. Device compilers do so; LLVM's own thresholds leave such arrays in local
// memory. A pragma with a factor is obeyed.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

void add_private_array_unrolling(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
