// Which loops may be replayed: loops whose iterations run the same blocks and whose addresses move by a fixed
// step from one iteration to the next, as far as the IR alone proves it (LLVM's scalar evolution).
//
// What is computed in iterations that are left out is garbage: registers carried from one to the next that
// are no inductions, and memory that the loop writes. A loop qualifies only where no branch and no address of
// the whole kernel rests on such values.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace forewarp::simt {

struct ReplayableLoop {
  const llvm::BasicBlock* header = nullptr;
  const llvm::BasicBlock* latch = nullptr;                ///< the only block that leaves the loop
  llvm::CmpInst::Predicate stay = llvm::CmpInst::ICMP_NE; ///< the loop goes on while `moving stay bound`
  const llvm::Value* moving = nullptr;                    ///< an induction, in the latch
  const llvm::Value* bound = nullptr;                     ///< fixed in the loop
  std::vector<const llvm::PHINode*> inductions;           ///< of the header, that control or addresses need
  bool same_for_all_warps = false; ///< the trip count rests on constants and arguments alone
};

std::vector<ReplayableLoop> replayable_loops(const llvm::Function& function);

} // namespace forewarp::simt
