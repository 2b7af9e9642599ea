// Parts of a grid that run one after the other and differ in kind: the busy front of a grid whose other
// groups leave at once. Each is simulated by itself, their times add up.
#pragma once

#include "predict/traced/waves/sm_run.h"

#include <vector>

namespace forewarp::predict::hybrid {

struct Phase {
  double groups = 0; ///< of the grid
  std::vector<facts::BehaviourClass> classes;
};

/// In the order in which they run; one where groups of all kinds are mixed.
std::vector<Phase> phases_of(const facts::KernelTrace& trace);

/// The second after the first. Figures of the simulated parts become those of the whole load.
SmRun joined(const SmRun& first, const SmRun& second);

} // namespace forewarp::predict::hybrid
