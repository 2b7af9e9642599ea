// From the code of one work-item to that of a group.
#pragma once

#include "native/flatten.h"

namespace forewarp::native {

struct GroupCode {
  llvm::Function* code = nullptr;
  bool waits = false; ///< starts one work-item as a coroutine (KernelKind::waiting), else runs all (plain)
};

/// `waits`: the calls of `wait_marker` in the body. `independent`: work-items do not use each other's memory
/// between two of them.
GroupCode make_group_code(const FlatKernel& kernel, const std::vector<llvm::CallInst*>& waits,
                          bool independent, const std::string& name);

} // namespace forewarp::native
