#pragma once

namespace llvm {
class Function;
}

namespace forewarp::frontend {

/// Turns memcpy, memmove and memset into the loads and stores that the back end would make of them, so that
/// an access site is a load or a store, never both. Sizes known and up to 128 bytes are unrolled, others
/// become loops.
void expand_copies(llvm::Function& function);

} // namespace forewarp::frontend
