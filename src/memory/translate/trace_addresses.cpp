#include "memory/translate/trace_addresses.h"

#include <array>
#include <cstdlib>
#include <set>
#include <utility>

namespace forewarp::memory {
namespace {

std::vector<std::uint64_t> pitches_of(const facts::KernelTrace& trace) {
  std::set<std::uint64_t> pitches;
  std::array<std::int64_t, 2> last = {}; // runs of one pitch are long
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        for (const std::int64_t stride : {event.stride, event.row_stride})
          if ((stride > 128 || stride < -128) && stride != last[0] && stride != last[1]) {
            pitches.insert(static_cast<std::uint64_t>(std::abs(stride)));
            last = {stride, last[0]};
          }
  return {pitches.begin(), pitches.end()};
}

} // namespace

TraceAddresses::TraceAddresses(const facts::KernelTrace& trace, std::vector<facts::MemorySite> sites,
                               GroupPlaces places)
    : sites_(std::move(sites)), places_(std::move(places)), translator_(trace, sites_, &places_),
      pitches_bytes_(pitches_of(trace)) {}

} // namespace forewarp::memory
