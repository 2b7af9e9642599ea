// Plots of a sweep as SVG.
#pragma once

#include "explore/summary.h"

namespace forewarp::explore {

/// Time of every configuration relative to the GPU's best, shortest first, a curve a GPU (thinned to 500
/// points).
Result<std::string> sorted_plot(Store& store, const Summary& summary);
/// Geometric mean of each value's times relative to the least of the parameter; parameters with many values
/// are left out.
std::string effects_plot(const GpuSummary& gpu);

} // namespace forewarp::explore
