// From the code of one work-item to that of a group.
#pragma once

#include "native/flatten.h"

namespace forewarp::native {

/// `waits`: the calls of `wait_marker` in the body. None: a function that runs all work-items of the group
/// (KernelKind::plain); else one that starts a work-item as a coroutine (KernelKind::waiting).
llvm::Function* make_group_code(const FlatKernel& kernel, const std::vector<llvm::CallInst*>& waits,
                                const std::string& name);

} // namespace forewarp::native
