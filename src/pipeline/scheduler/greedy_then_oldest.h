// The warp that issued last while it can, else the oldest that can.
#pragma once

#include "pipeline/core/state.h"

namespace forewarp::pipeline {

struct GreedyThenOldest {
  static constexpr bool restricts = false;
  explicit GreedyThenOldest(const Configuration&) {}
  unsigned pick(WarpMask candidates) const {
    const WarpMask greedy = candidates & last_;
    return static_cast<unsigned>(std::countr_zero(greedy ? greedy : candidates));
  }
  void issued(unsigned position) { last_ = bit_of(position); }
  void remove(unsigned position) { last_ = without_position(last_, position); }
  void long_wait(unsigned) {}
  WarpMask allowed(WarpMask) { return ~WarpMask{0}; }

private:
  WarpMask last_ = 0;
};

} // namespace forewarp::pipeline
