// The plan of a features run for one region: from LLVM's instructions to what the recording side needs.
#pragma once

#include "port/features/plan.h"
#include "port/static/region.h"

namespace forewarp::port {

/// Before recording code is added to the module.
FeaturePlan plan_features(const StaticRegion& region);

} // namespace forewarp::port
