#include "memory/atomics.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace forewarp::memory {
namespace {

using Counts =
    std::unordered_map<std::int64_t, double>; // only its maximum is read: order does not reach output

void count(const facts::WarpTrace& warp, std::uint32_t site, unsigned width_bytes, double weight,
           Counts& counts) {
  for (const facts::MemoryEvent& event : warp.events) {
    if (event.site != site || event.pattern == facts::MemoryEvent::Pattern::unknown)
      continue;
    const Lanes lanes = expand(event, warp.offsets, static_cast<std::int64_t>(event.base), width_bytes);
    for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1)
      counts[lanes.address[static_cast<unsigned>(std::countr_zero(rest))]] += weight;
  }
}

double most(const Counts& counts) {
  double best = 0;
  for (const auto& [address, operations] : counts)
    best = std::max(best, operations);
  return best;
}

/// The site's addresses do not depend on the group, as far as the samples show.
bool same_for_all_groups(const StageInput& in, std::uint32_t site) {
  for (std::uint32_t g = 0; g < in.streams.size(); ++g)
    for (std::uint32_t w = 0; w < in.streams[g].warps.size(); ++w)
      for (const StreamEvent& event : in.streams[g].warps[w])
        if (event.site == site) {
          const Translation& t = *event.translation;
          if (t.affine && t.bytes_per_group != std::array<std::int64_t, 3>{})
            return false;
        }
  return true;
}

} // namespace

std::vector<double> hottest_address_operations(const StageInput& in,
                                               const std::vector<facts::MemorySite>& sites,
                                               const std::vector<double>& sample_weights) {
  std::vector<double> out(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    if (sites[s].kind != facts::AccessKind::atomic)
      continue;
    const bool over_grid = sites[s].space != facts::MemorySpace::shared && same_for_all_groups(in, s);
    Counts all;
    for (std::size_t g = 0; g < in.trace.groups.size(); ++g) {
      Counts own;
      for (const facts::WarpTrace& warp : in.trace.groups[g].warps)
        count(warp, s, sites[s].width_bytes, over_grid ? sample_weights[g] : 1, over_grid ? all : own);
      out[s] = std::max(out[s], most(own));
    }
    out[s] = std::max(out[s], most(all));
  }
  return out;
}

} // namespace forewarp::memory
