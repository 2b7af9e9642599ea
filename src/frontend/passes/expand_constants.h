#pragma once

namespace llvm {
class Function;
}

namespace forewarp::frontend {

/// Turns constants that are computed of addresses (the distance of two arrays of shared memory, an address
/// and a mask) into instructions in front of their use, as the back end has to. An address itself stays a
/// constant: variables, elements of them, and what their number is.
void expand_constants(llvm::Function& function);

} // namespace forewarp::frontend
