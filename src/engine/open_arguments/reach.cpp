#include "engine/open_arguments/reach.h"

#include <algorithm>

namespace forewarp::engine {
namespace {

/// Calls `take` with each lane's address.
template <class Take>
void each_address(const facts::MemoryEvent& event, const facts::WarpTrace& warp, const Take& take) {
  using Pattern = facts::MemoryEvent::Pattern;
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
    take(event.base + static_cast<std::uint64_t>(offset));
  }
}

const facts::MemoryRegion* region_at(const std::vector<facts::MemoryRegion>& regions, std::uint64_t address) {
  for (const facts::MemoryRegion& region : regions)
    if (address - region.base < region.size_bytes)
      return &region;
  return nullptr;
}

} // namespace

std::map<std::string, Reach> reach_of(const facts::KernelTrace& trace,
                                      const std::vector<facts::MemorySite>& sites,
                                      const std::map<std::string, std::uint64_t>& each_bytes) {
  std::map<std::string, Reach> reach;
  const auto take = [&](const facts::MemoryEvent& event, const facts::WarpTrace& warp) {
    const facts::MemorySite& site = sites[event.site];
    if (event.pattern == facts::MemoryEvent::Pattern::unknown) {
      if (!site.buffer.empty())
        reach[site.buffer].unknown_places = true;
      return;
    }
    std::uint64_t furthest = 0;
    each_address(event, warp, [&](std::uint64_t address) { furthest = std::max(furthest, address); });
    const facts::MemoryRegion* region = region_at(trace.regions, furthest);
    if (!region)
      return;
    std::uint64_t& bytes = reach[region->name].bytes;
    const auto one = each_bytes.find(region->name);
    if (one == each_bytes.end())
      bytes = std::max(bytes, furthest - region->base + site.width_bytes);
    else
      each_address(event, warp, [&](std::uint64_t address) {
        bytes = std::max(bytes, (address - region->base) % one->second + site.width_bytes);
      });
  };
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        if (event.active != 0 && event.site < sites.size())
          take(event, warp);
  return reach;
}

} // namespace forewarp::engine
