// From the stages to the profile: outcome of every event of the trace, and sums by site over the whole grid.
#pragma once

#include "facts/memory_profile.h"
#include "memory/l2/l2_stage.h"

namespace forewarp::memory {

/// Outcomes, sites and totals.
void fill_profile(const StageInput& in, const std::vector<facts::MemorySite>& sites, const L1Result& l1,
                  const L2Result& l2, facts::MemoryProfile& out);
/// Groups of the grid that each sample stands for.
std::vector<double> sample_weights(const facts::KernelTrace& trace);

} // namespace forewarp::memory
