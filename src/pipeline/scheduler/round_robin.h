// Loose round robin: the search starts after the warp that issued last.
#pragma once

#include "pipeline/core/state.h"

namespace forewarp::pipeline {

struct RoundRobin {
  static constexpr bool restricts = false;
  explicit RoundRobin(const Configuration&) {}
  unsigned pick(WarpMask candidates) const {
    const WarpMask after = next_ < max_positions ? candidates & ~(bit_of(next_) - 1) : 0;
    return static_cast<unsigned>(std::countr_zero(after ? after : candidates));
  }
  void issued(unsigned position) { next_ = position + 1; }
  void remove(unsigned position) {
    if (position < next_)
      --next_;
  }
  void long_wait(unsigned) {}
  WarpMask allowed(WarpMask) { return ~WarpMask{0}; }

private:
  unsigned next_ = 0;
};

} // namespace forewarp::pipeline
