// Which values are the same in all lanes of a warp, from the IR alone, and which registers must keep the
// values of lanes that do not take part in a write.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <memory>

namespace forewarp::simt {

/// Divergence analysis in the manner of Coutinho et al. (PACT 2011): data dependence on lane identity, phis
/// where divergent paths meet, and values that leave a loop which lanes leave at different times.
/// Conservative.
class Uniformity {
public:
  explicit Uniformity(const llvm::Function& function);

  bool uniform(const llvm::Value* value) const { return divergent_.count(value) == 0; }
  const llvm::LoopInfo& loops() const { return *loops_; }
  /// Null: the kernel's end.
  const llvm::BasicBlock* reconvergence_of(const llvm::BasicBlock* block) const;
  /// True: lanes that are not active keep their value when this is written.
  bool needs_preserve(const llvm::Instruction& instruction) const;
  /// True: some user of the (uniform) value reads it lane by lane.
  bool read_by_lanes(const llvm::Value* value) const;

private:
  void mark(const llvm::Value* value);
  void spread_control(const llvm::BasicBlock* branch);
  void mark_outside_uses(const llvm::Loop& loop);

  const llvm::Function& function_;
  std::unique_ptr<llvm::DominatorTree> dominators_;
  std::unique_ptr<llvm::PostDominatorTree> post_dominators_;
  std::unique_ptr<llvm::LoopInfo> loops_;
  llvm::DenseSet<const llvm::Value*> divergent_;
  llvm::SmallVector<const llvm::Value*, 64> worklist_;
};

} // namespace forewarp::simt
