// A parallel loop that each thread runs by itself changes places with the loop that was handed to threads.
#pragma once

#include "facts/region_trace.h"
#include "port/scale/region_size.h"

#include <optional>

namespace forewarp::port {

struct SwappedLoops {
  facts::RegionTrace trace;
  RegionSize size;
};

/// A region of one parallel loop whose body is one loop that could be parallel as well, of the same number of
/// iterations in every thread: threads become the iterations of the inner loop, and each runs the outer one.
/// No dependence is in the way: neither loop carries one. Nothing: the region is not of that kind.
std::optional<SwappedLoops> swap_loops(const facts::RegionTrace& trace, const RegionSize& size);

} // namespace forewarp::port
