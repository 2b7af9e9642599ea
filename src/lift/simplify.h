// What the lifted function is simplified by, short of its blocks and accesses.
#pragma once

namespace llvm {
class Function;
}

namespace forewarp::lift {

/// Joins halves of 64-bit values, folds constants, drops what nothing uses, bit by bit. Blocks, their order
/// and their terminators stay, and so does every access.
void simplify(llvm::Function& function);

} // namespace forewarp::lift
