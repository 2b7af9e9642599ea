// Two-level: only the warps of a small active set issue, round robin. A warp leaves the set when it waits for
// memory or at a barrier; the oldest ready warps outside fill the places that become free (Gebhart et al.,
// ISCA 2011).
#pragma once

#include "pipeline/scheduler/round_robin.h"

namespace forewarp::pipeline {

struct TwoLevel {
  static constexpr bool restricts = true;
  explicit TwoLevel(const Configuration& configuration)
      : size_(configuration.two_level_active_warps), inner_(configuration) {}
  unsigned pick(WarpMask candidates) const { return inner_.pick(candidates); }
  void issued(unsigned position) { inner_.issued(position); }
  void remove(unsigned position) {
    active_ = without_position(active_, position);
    inner_.remove(position);
  }
  void long_wait(unsigned position) { active_ &= ~bit_of(position); }
  WarpMask allowed(WarpMask ready) {
    for (WarpMask outside = ready & ~active_;
         outside && static_cast<unsigned>(std::popcount(active_)) < size_; outside &= outside - 1)
      active_ |= outside & (~outside + 1);
    return active_;
  }

private:
  unsigned size_;
  WarpMask active_ = 0;
  RoundRobin inner_;
};

} // namespace forewarp::pipeline
