// Integers of more than 128 bits.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// LLVM's optimiser takes parts of a vector by way of an integer as wide as the vector: `trunc (lshr (bitcast
/// <8 x float> to i256), 64) to i128`. No machine has such integers: each part becomes the elements that it
/// is.
void add_parts_of_wide_integers(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
