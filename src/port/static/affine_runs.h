// Innermost loops whose every address is known before they begin: recorded with a few words in place of
// words for each block and access of each iteration.
#pragma once

#include "port/helper/plan.h"
#include "port/static/region.h"

#include <vector>

namespace forewarp::port {

/// A loop and what is known of it before it runs. Its values stand at the end of the loop's preheader.
struct AffineRun {
  RunPlan plan;
  llvm::BasicBlock *header = nullptr, *latch = nullptr, *preheader = nullptr;
  std::vector<llvm::BasicBlock*> blocks; ///< as in the plan
  llvm::Value* iterations = nullptr;     ///< i64; null: where it goes is written down as it runs (plan.paths)
  struct Site {
    llvm::Value* first = nullptr;  ///< address in the first iteration; null: scattered
    llvm::Value* stride = nullptr; ///< i64, bytes from one iteration to the next
  };
  std::vector<Site> sites; ///< of all blocks, in their order
};

/// Innermost loops of `region` without a call that could end or record anything, whose addresses move by the
/// same number of bytes in each iteration, whichever way it goes; where they go one way, some of their
/// addresses may not. Adds the instructions that compute the values.
std::vector<AffineRun> find_affine_runs(const StaticRegion& region);

} // namespace forewarp::port
