// Bodies of accesses that all lanes run become part of the block around them.
#pragma once

namespace llvm {
class Function;
}

namespace forewarp::lift::amd {

/// Where EXEC is known to hold all lanes, the branch around an access goes; what the blocks stand for is
/// kept.
void join_blocks(llvm::Function& function);

} // namespace forewarp::lift::amd
