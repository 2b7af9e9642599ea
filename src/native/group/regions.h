// Work-items that wait for each other at barriers, without a coroutine for each: what lies between two
// barriers is a loop over the work-items of the group.
#pragma once

#include "native/flatten.h"

#include <string>
#include <vector>

namespace forewarp::native {

/// A function that runs all work-items of the group (KernelKind::plain). What items keep over a barrier lies
/// in memory from forewarp_context. Null, and the body is as it was: they wait for less than the group, or
/// not all of them come to the same barrier. `independent`: items do not use each other's memory between two
/// barriers.
llvm::Function* make_regions(llvm::Function& body, const std::vector<llvm::CallInst*>& waits,
                             bool independent, const std::string& name);

} // namespace forewarp::native
