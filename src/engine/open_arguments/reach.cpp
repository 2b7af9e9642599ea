#include "engine/open_arguments/reach.h"

#include <algorithm>

namespace forewarp::engine {
namespace {

/// The furthest byte that an event's lanes reach, less one access' width.
std::uint64_t furthest_address(const facts::MemoryEvent& event, const facts::WarpTrace& warp) {
  using Pattern = facts::MemoryEvent::Pattern;
  std::uint64_t furthest = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((event.active >> lane & 1) == 0)
      continue;
    std::int64_t offset = 0;
    if (event.pattern == Pattern::affine)
      offset = static_cast<std::int64_t>(lane) * event.stride;
    else if (event.pattern == Pattern::affine2 && event.row_lanes > 0)
      offset = lane % event.row_lanes * event.stride + lane / event.row_lanes * event.row_stride;
    else if (event.pattern == Pattern::explicit_offsets)
      offset = warp.offsets[event.first_offset + lane];
    furthest = std::max(furthest, event.base + static_cast<std::uint64_t>(offset));
  }
  return furthest;
}

const facts::MemoryRegion* region_at(const std::vector<facts::MemoryRegion>& regions, std::uint64_t address) {
  for (const facts::MemoryRegion& region : regions)
    if (address - region.base < region.size_bytes)
      return &region;
  return nullptr;
}

} // namespace

std::map<std::string, Reach> reach_of(const facts::KernelTrace& trace,
                                      const std::vector<facts::MemorySite>& sites) {
  std::map<std::string, Reach> reach;
  const auto take = [&](const facts::MemoryEvent& event, const facts::WarpTrace& warp) {
    const facts::MemorySite& site = sites[event.site];
    if (event.pattern == facts::MemoryEvent::Pattern::unknown) {
      if (!site.buffer.empty())
        reach[site.buffer].unknown_places = true;
      return;
    }
    const std::uint64_t address = furthest_address(event, warp);
    if (const facts::MemoryRegion* region = region_at(trace.regions, address)) {
      std::uint64_t& bytes = reach[region->name].bytes;
      bytes = std::max(bytes, address - region->base + site.width_bytes);
    }
  };
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        if (event.active != 0 && event.site < sites.size())
          take(event, warp);
  return reach;
}

} // namespace forewarp::engine
