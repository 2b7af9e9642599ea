// Which values of a loop nest differ from one iteration of given loops to another: through data, through
// memory, and through the way that control took.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

#include <set>
#include <vector>

namespace forewarp::port {

class DependentValues {
public:
  /// `blocks`: the code looked at. `roots`: values that differ to begin with.
  DependentValues(const std::vector<llvm::BasicBlock*>& blocks, const std::vector<const llvm::Value*>& roots,
                  const llvm::DominatorTree& tree, const llvm::LoopInfo& loops);

  bool contains(const llvm::Value* value) const { return found_.contains(value); }

private:
  bool differs(const llvm::Instruction& instruction, const llvm::DominatorTree& tree,
               const llvm::LoopInfo& loops) const;
  bool joins_ways(const llvm::PHINode& phi, const llvm::DominatorTree& tree,
                  const llvm::LoopInfo& loops) const;

  std::set<const llvm::Value*> found_;
  std::set<const llvm::Value*> written_; ///< objects that hold something that differs
};

} // namespace forewarp::port
