// One pseudo-warp from the traces of its pseudo-threads.
#pragma once

#include "facts/region_trace.h"
#include "facts/trace.h"
#include "port/warps/layout.h"

#include <array>
#include <vector>

namespace forewarp::port {

/// Lane -> pseudo-thread; null: no such thread.
using WarpLanes = std::array<const facts::RegionThread*, 64>;

/// `rank`: block_order of the trace. Empty warp: no steps.
facts::WarpTrace run_in_lockstep(const facts::RegionTrace& trace, const DeviceLayout& layout,
                                 const std::vector<std::uint32_t>& rank, const WarpLanes& lanes,
                                 unsigned warp_width);

/// Event of lane addresses: affine, rows of affine lanes, or explicit.
facts::MemoryEvent make_event(std::uint32_t site, std::uint64_t active,
                              const std::array<std::uint64_t, 64>& addresses,
                              std::vector<std::int64_t>& offsets);

/// Address of a lane of an event.
std::uint64_t lane_address(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                           unsigned lane);

} // namespace forewarp::port
