// Measured launches as requests for a prediction.
#pragma once

#include "facts/launch.h"
#include "measure/calibrate/measured.h"

namespace forewarp::measure {

/// The launch as a launch file would say it, on a GPU of `sm_count` SMs. Buffers with contents from a file
/// are unknown: the result does not hold them.
facts::Launch predicted_launch(const BundleLaunch& launch, unsigned sm_count,
                               std::uint64_t unused_shared_bytes);

/// One measured point with what is needed to predict it.
struct ComparedPoint {
  const BundleKernel* kernel = nullptr;
  const BundleLaunch* launch = nullptr;
  const MeasuredTime* time = nullptr;
};

/// The corpus's times with this state of L2, and its occupancy sweeps where `sweeps` (they are warm).
std::vector<ComparedPoint> compared_points(const Measured& measured, const std::string& l2, bool sweeps);

} // namespace forewarp::measure
