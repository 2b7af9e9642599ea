// Private arrays in registers although their index is not a constant: where few elements can be meant by it,
// a read chooses among them and a write replaces one of them (what NVIDIA's assembler makes of an array in a
// loop that a pragma unrolls in part).
#pragma once

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// NVIDIA targets only.
void add_private_array_selection(llvm::PassBuilder& builder);

} // namespace forewarp::frontend
