#include "memory/dram/like_arrays.h"

#include <algorithm>

namespace forewarp::memory {
namespace {

using facts::MemoryEvent;

/// The least share of the bytes that counts.
constexpr double least_share = 1.0 / 64;

/// The longest warp of the most frequent class.
const facts::WarpTrace* usual_warp(const facts::KernelTrace& trace) {
  const auto most = std::ranges::max_element(trace.classes, {}, &facts::BehaviourClass::weight_groups);
  if (most == trace.classes.end() || most->samples.empty())
    return nullptr;
  const std::vector<facts::WarpTrace>& warps = trace.groups[most->samples.front()].warps;
  const auto longest =
      std::ranges::max_element(warps, {}, [](const facts::WarpTrace& warp) { return warp.events.size(); });
  return longest == warps.end() ? nullptr : &*longest;
}

std::uint64_t first_address(const MemoryEvent& event, const facts::WarpTrace& warp) {
  if (event.pattern == MemoryEvent::Pattern::explicit_offsets)
    return event.base + static_cast<std::uint64_t>(warp.offsets[event.first_offset]);
  return event.base;
}

bool alike(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t beyond = (a - b) % like_period_bytes;
  return std::min(beyond, like_period_bytes - beyond) <= like_tolerance_bytes;
}

} // namespace

unsigned arrays_at_like_offsets(const facts::KernelTrace& trace,
                                const std::vector<facts::SiteProfile>& sites) {
  const facts::WarpTrace* warp = usual_warp(trace);
  double total = 0;
  for (const facts::SiteProfile& site : sites)
    total += site.bytes_dram;
  if (warp == nullptr || total <= 0)
    return 0;
  std::vector<std::uint64_t> starts;
  std::vector<bool> counted(sites.size());
  for (const MemoryEvent& event : warp->events) {
    if (event.site >= sites.size() || counted[event.site] || event.pattern == MemoryEvent::Pattern::unknown ||
        sites[event.site].bytes_dram < least_share * total)
      continue;
    counted[event.site] = true;
    starts.push_back(first_address(event, *warp));
  }
  // One array: read and written, or read at neighbouring cells.
  std::ranges::sort(starts);
  const auto same = [](std::uint64_t a, std::uint64_t b) { return b - a < like_period_bytes / 2; };
  starts.erase(std::unique(starts.begin(), starts.end(), same), starts.end());
  unsigned most = 0;
  for (const std::uint64_t start : starts)
    most = std::max(most, static_cast<unsigned>(std::ranges::count_if(
                              starts, [&](std::uint64_t b) { return alike(start, b); })));
  return most;
}

} // namespace forewarp::memory
