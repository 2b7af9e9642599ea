#include "port/access/classes.h"

#include "port/warps/lockstep.h"

#include <bit>
#include <cstdlib>

namespace forewarp::port {
namespace {

bool several_lanes(std::uint64_t active) {
  return (active & (active - 1)) != 0;
}

AccessPattern by_distance(std::int64_t distance, unsigned element_bytes) {
  if (distance == 0)
    return AccessPattern::constant;
  return std::abs(distance) <= element_bytes ? AccessPattern::coalesced : AccessPattern::uncoalesced;
}

std::int64_t largest_distance(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets) {
  std::int64_t largest = 0;
  unsigned before = static_cast<unsigned>(std::countr_zero(event.active));
  for (std::uint64_t rest = event.active & (event.active - 1); rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const auto distance =
        static_cast<std::int64_t>(lane_address(event, offsets, lane) - lane_address(event, offsets, before));
    largest = std::max(largest, std::abs(distance) / static_cast<std::int64_t>(lane - before));
    before = lane;
  }
  return largest;
}

} // namespace

std::string_view to_string(AccessPattern pattern) {
  switch (pattern) {
  case AccessPattern::coalesced:
    return "coalesced";
  case AccessPattern::uncoalesced:
    return "uncoalesced";
  case AccessPattern::constant:
    return "constant";
  }
  return "";
}

AccessPattern classify(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                       unsigned element_bytes) {
  using Pattern = facts::MemoryEvent::Pattern;
  if (!several_lanes(event.active))
    return AccessPattern::constant;
  if (event.pattern == Pattern::affine)
    return by_distance(event.stride, element_bytes);
  if (event.pattern == Pattern::affine2 && event.row_lanes >= 8)
    return event.stride == 0 ? AccessPattern::coalesced : by_distance(event.stride, element_bytes);
  return by_distance(largest_distance(event, offsets), element_bytes);
}

std::vector<SiteClasses> classify_sites(const facts::KernelTrace& trace,
                                        const std::vector<facts::MemorySite>& sites) {
  std::vector<SiteClasses> classes(sites.size());
  std::vector<double> alone(sites.size(), 0);
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events) {
        const AccessPattern pattern = classify(event, warp.offsets, sites[event.site].width_bytes);
        if (several_lanes(event.active))
          ++classes[event.site].events[static_cast<std::size_t>(pattern)];
        else
          ++alone[event.site];
      }
  for (std::size_t s = 0; s < sites.size(); ++s)
    if (classes[s].total() == 0)
      classes[s].events[static_cast<std::size_t>(AccessPattern::constant)] = alone[s];
  return classes;
}

} // namespace forewarp::port
