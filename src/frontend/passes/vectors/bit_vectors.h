// Vectors of bits in memory.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// The bits of a vector such as `<16 x i1>` lie in memory side by side, the first one lowest (LLVM Language
/// Reference, "Vector Type"). Loads and stores of such vectors become those of the integer with the same
/// bits.
void add_bit_vector_accesses(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
