// A launch for a kernel that no host code starts: of a usual size, to be replaced.
#pragma once

#include "engine/host_launch/host_launch.h"

namespace forewarp::engine {

/// 1024 groups of 256 work-items, 64 x 64 of 16 x 16, or 16 x 16 x 16 of 8 x 8 x 4, by the axes along which
/// the kernel asks where it stands; the kernel's own group size or bound goes before. 16 KB of dynamic shared
/// memory where the kernel uses it. Compiles for the request's first GPU. Errors: those of compiling.
Result<FoundRequest> usual_launch(const PredictRequest& request);

} // namespace forewarp::engine
