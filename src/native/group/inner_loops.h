// Loops that all items of a group run alike: turned around, the items become the inner loop, which the
// processor runs several at a time.
#pragma once

#include "native/flatten.h"

#include <vector>

namespace forewarp::native {

/// Work-items wait for each other at the beginning of each round of such a loop afterwards; these waits are
/// given (lower_calls.h, wait_marker). `waits`: those that are there.
std::vector<llvm::CallInst*> wait_in_inner_loops(llvm::Function& body,
                                                 const std::vector<llvm::CallInst*>& waits);

} // namespace forewarp::native
