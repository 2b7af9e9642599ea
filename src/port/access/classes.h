// Access classes of pseudo-warp memory instructions (Wang, Zhong, Mitra: CGPredict, TECS 2017,
// section 3.3.2).
#pragma once

#include "facts/trace.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace forewarp::port {

enum class AccessPattern : std::uint8_t { coalesced, uncoalesced, constant };
inline constexpr std::array<AccessPattern, 3> access_patterns = {
    AccessPattern::uncoalesced, AccessPattern::coalesced, AccessPattern::constant};
std::string_view to_string(AccessPattern pattern);

/// By the largest distance of neighbouring lanes: 0 is constant, up to one element coalesced, else
/// uncoalesced. Warps of several short rows go by the distance inside the rows; rows that each share one
/// address are coalesced ("few transactions"). A single active lane is constant.
AccessPattern classify(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                       unsigned element_bytes);

/// Events of one class at one site.
struct SiteClasses {
  std::array<double, 3> events = {0, 0, 0}; ///< by AccessPattern
  double total() const { return events[0] + events[1] + events[2]; }
  /// Share of the class among the site's events; 0 where it has none.
  double share(AccessPattern pattern) const {
    return total() > 0 ? events[static_cast<std::size_t>(pattern)] / total() : 0;
  }
};

/// By site; events of one active lane are left out where the site has others.
std::vector<SiteClasses> classify_sites(const facts::KernelTrace& trace,
                                        const std::vector<facts::MemorySite>& sites);

} // namespace forewarp::port
