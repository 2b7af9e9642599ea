// A shorter record of a region, for predictions that are compared with each other.
#pragma once

#include "facts/region_trace.h"

namespace forewarp::port {

/// Of each outermost loop inside a thread only the first `share` of its iterations (of loops that hold no
/// other, rounded up to a multiple of 32); what stands outside of these loops stays.
facts::RegionTrace thin(const facts::RegionTrace& trace, double share);

} // namespace forewarp::port
