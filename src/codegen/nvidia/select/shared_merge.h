// Adjacent loads from shared memory that the assembler joins into one of 8 or 16 bytes.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Function;
class LoadInst;
} // namespace llvm

namespace forewarp::codegen {

/// For the first load of a group in program order: all of it, by offset. The others are in `joined`.
struct SharedMerges {
  llvm::DenseMap<const llvm::LoadInst*, llvm::SmallVector<const llvm::LoadInst*, 4>> groups;
  llvm::DenseMap<const llvm::LoadInst*, const llvm::LoadInst*> joined; ///< member -> first
};

/// 4-byte loads of one basic block from the same base with adjacent constant offsets, no store or barrier
/// between them, at a provable alignment. Static shared variables are taken as 16-byte aligned: the assembler
/// lays them out.
SharedMerges merge_shared_loads(const llvm::Function& function);

} // namespace forewarp::codegen
