// What each resource of the GPU would need by itself: the bounds that explain a time.
#pragma once

#include "predict/traced/waves/sm_run.h"

#include <string>
#include <vector>

namespace forewarp::predict::hybrid {

struct Bound {
  facts::Limiter limiter = facts::Limiter::issue;
  std::string name;  ///< unit or server
  double cycles = 0; ///< SM cycles that the whole kernel needs of it
};

/// Units and servers of the simulated SM extended to its whole load, and the GPU-wide bounds (DRAM and L2
/// traffic of the memory profile, dispatch of groups).
std::vector<Bound> bounds(const Facts& facts, const SmLoad& load, const SmRun& run);

} // namespace forewarp::predict::hybrid
