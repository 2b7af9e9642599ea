// What the work-items of a group have in common where they wait for each other.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace forewarp::native {

struct Uniformity {
  llvm::DenseSet<const llvm::Value*> divergent; ///< may differ between items that come to the next barrier
  bool together = true;                         ///< all items that have not ended come to the same barrier
  bool some_leave = false;                      ///< some items may end while others go on to a barrier
};

/// `barriers`: blocks that end where an item waits. Of a work-item's function (flatten.h). What no barrier
/// comes after is not looked at: its values count as common.
Uniformity uniformity_of(const llvm::Function& body, const std::vector<llvm::BasicBlock*>& barriers);

} // namespace forewarp::native
