// The oldest warp that can issue.
#pragma once

#include "pipeline/core/state.h"

namespace forewarp::pipeline {

struct OldestFirst {
  static constexpr bool restricts = false; ///< may refuse warps that could issue
  explicit OldestFirst(const Configuration&) {}
  unsigned pick(WarpMask candidates) const { return static_cast<unsigned>(std::countr_zero(candidates)); }
  void issued(unsigned) {}
  void remove(unsigned) {}
  void long_wait(unsigned) {}
  WarpMask allowed(WarpMask) { return ~WarpMask{0}; }
};

} // namespace forewarp::pipeline
