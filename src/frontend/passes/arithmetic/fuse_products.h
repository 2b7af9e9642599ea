// Multiply-adds where the language lets the compiler make them (nvcc's default, -fmad=true).
#pragma once

#include <llvm/IR/Function.h>

namespace forewarp::frontend {

/// A product that goes into one sum or difference alone becomes a multiply-add with one rounding where both
/// operations may be contracted; of two products the first. So nvcc 13.0 joins products of a sum, and
/// ptxas 13.0 the difference of two, which nvcc leaves to it; a product with several uses both keep.
void fuse_products(llvm::Function& function);

} // namespace forewarp::frontend
