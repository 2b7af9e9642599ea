// What work-items keep over a barrier.
#pragma once

#include "native/group/uniform.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include <memory>
#include <vector>

namespace forewarp::native {

enum class Keeping {
  again,  ///< computed again behind the barrier, from arguments and ids
  common, ///< the same in all items: one place for the group
  own,    ///< a place for each item
};

struct KeptValue {
  KeptValue() = default;
  KeptValue(KeptValue&&) = default;
  KeptValue& operator=(KeptValue&&) = delete;
  ~KeptValue();

  llvm::AllocaInst* slot = nullptr; ///< its place within an item's function
  Keeping how = Keeping::own;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> alive; ///< barriers (blocks behind them) that it is kept over
  /// How to compute it again, in order; the last is the value. In no block.
  std::vector<std::unique_ptr<llvm::Instruction, llvm::ValueDeleter>> recipe;
};

/// Values that are used behind a barrier (`resumed`: the blocks there) and made before it move into slots.
std::vector<KeptValue> keep_values(llvm::Function& body, const std::vector<llvm::BasicBlock*>& resumed,
                                   const Uniformity& uniformity);

} // namespace forewarp::native
