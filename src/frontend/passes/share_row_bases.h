#pragma once

namespace llvm {
class Function;
}

namespace forewarp::frontend {

/// `(row + 1) * pitch` in an index becomes `row * pitch + pitch` where the row has other uses, too, so that
/// the target's passes give neighbouring rows one base with offsets in the instructions, and join their
/// accesses. LLVM 19 distributes only where the row has no other use. (PTX of NVRTC 10.1, 11.8 and 12.9 of
/// tiles whose rows are used once more for the result.)
void share_row_bases(llvm::Function& function);

} // namespace forewarp::frontend
