// Program order of a region's basic blocks, from what its threads ran: where lanes of a pseudo-warp part,
// the lanes at the block that comes first go on, so that they meet again where the paths join.
#pragma once

#include "facts/region_trace.h"

#include <cstdint>
#include <vector>

namespace forewarp::port {

/// rank[block]: place in a topological order of the control flow without back edges, each loop's blocks
/// together. Blocks that no traced thread ran come last.
std::vector<std::uint32_t> block_order(const facts::RegionTrace& trace);

} // namespace forewarp::port
