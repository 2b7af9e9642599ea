// Code from before warps had independent lanes: lanes exchange values through volatile shared memory, and
// count on all of them being at the same instruction.
#pragma once

#include <llvm/IR/Function.h>

namespace forewarp::native {

/// Lanes wait for each other before each volatile access to shared memory, so that they see what the ones
/// before them wrote, and write when all have read.
void keep_lanes_together(llvm::Function& kernel);

} // namespace forewarp::native
