#include "memory/first_touch.h"

#include <algorithm>

namespace forewarp::memory {
namespace {

constexpr std::size_t no_region = SIZE_MAX;

bool is_cut(const facts::KernelTrace& trace) {
  return std::ranges::any_of(trace.groups, [](const facts::GroupTrace& group) {
    return std::ranges::any_of(group.warps,
                               [](const facts::WarpTrace& warp) { return warp.recorded_share < 1; });
  });
}

std::size_t region_of(const facts::KernelTrace& trace, std::uint64_t address) {
  for (std::size_t r = 0; r < trace.regions.size(); ++r)
    if (address >= trace.regions[r].base && address - trace.regions[r].base < trace.regions[r].size_bytes)
      return r;
  return no_region;
}

/// Of the first access of each site whose place is known.
std::vector<std::size_t> regions_of(const facts::KernelTrace& trace, std::size_t sites) {
  std::vector<std::size_t> regions(sites, no_region);
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        if (event.site < sites && regions[event.site] == no_region && event.active != 0 &&
            event.pattern != facts::MemoryEvent::Pattern::unknown)
          regions[event.site] = region_of(trace, event.base);
  return regions;
}

} // namespace

std::vector<double> first_touch_shares(const StageInput& in, const std::vector<double>& read_bytes) {
  if (!in.memory.l2.present || !is_cut(in.trace))
    return {};
  double all = 0;
  for (const facts::MemoryRegion& region : in.trace.regions)
    if (region.space == facts::MemorySpace::global || region.space == facts::MemorySpace::constant)
      all += static_cast<double>(region.size_bytes);
  if (all > static_cast<double>(in.memory.l2.size_bytes))
    return {};
  const std::vector<std::size_t> region = regions_of(in.trace, read_bytes.size());
  std::vector<double> read(in.trace.regions.size(), 0);
  for (std::size_t s = 0; s < read_bytes.size(); ++s)
    if (region[s] != no_region)
      read[region[s]] += read_bytes[s];
  std::vector<double> shares(read_bytes.size(), 1);
  for (std::size_t s = 0; s < read_bytes.size(); ++s)
    if (region[s] != no_region && read[region[s]] > 0)
      shares[s] =
          std::min(1.0, static_cast<double>(in.trace.regions[region[s]].size_bytes) / read[region[s]]);
  return shares;
}

} // namespace forewarp::memory
