// Innermost loops whose every address is known before they begin: recorded with a few words in place of
// words for each iteration.
#pragma once

#include "port/static/region.h"

#include <vector>

namespace forewarp::port {

/// One loop of one block. Its values stand at the end of the loop's preheader.
struct AffineRun {
  std::uint32_t block = 0; ///< index into StaticRegion::blocks
  llvm::BasicBlock* preheader = nullptr;
  llvm::Value* iterations = nullptr; ///< i64
  struct Site {
    llvm::Value* first = nullptr;  ///< address in the first iteration
    llvm::Value* stride = nullptr; ///< i64, bytes from one iteration to the next
  };
  std::vector<Site> sites; ///< of the block, in order
};

/// Loops of one block with a computable number of iterations, no call that could end or record anything, and
/// addresses that move by the same number of bytes in each iteration. Adds the instructions that compute the
/// values.
std::vector<AffineRun> find_affine_runs(const StaticRegion& region);

} // namespace forewarp::port
