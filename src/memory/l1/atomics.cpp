#include "memory/l1/atomics.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace forewarp::memory {
namespace {

/// Operations by address and by line; only their maxima are read: order does not reach output.
struct Counts {
  std::unordered_map<std::int64_t, double> addresses, lines;
};

void add(std::int64_t address, double weight, Counts& counts) {
  counts.addresses[address] += weight;
  counts.lines[address / block_bytes] += weight;
}

void count(const facts::WarpTrace& warp, std::uint32_t index, const facts::MemorySite& site, double weight,
           Counts& counts) {
  for (const facts::MemoryEvent& event : warp.events) {
    if (event.site != index || event.pattern == facts::MemoryEvent::Pattern::unknown)
      continue;
    const Lanes lanes = expand(event, warp.offsets, static_cast<std::int64_t>(event.base), site.width_bytes);
    const std::uint64_t first = lanes.active & (~lanes.active + 1);
    for (std::uint64_t rest = site.one_per_warp ? first : lanes.active; rest; rest &= rest - 1)
      add(lanes.address[static_cast<unsigned>(std::countr_zero(rest))], weight, counts);
  }
}

double most(const std::unordered_map<std::int64_t, double>& counts) {
  double best = 0;
  for (const auto& [place, operations] : counts)
    best = std::max(best, operations);
  return best;
}

void raise(HottestOperations& to, const Counts& counts) {
  to.address = std::max(to.address, most(counts.addresses));
  to.line = std::max(to.line, most(counts.lines));
}

/// The site's addresses do not depend on the group, as far as the samples show.
bool same_for_all_groups(const StageInput& in, std::uint32_t site) {
  for (std::uint32_t g = 0; g < in.streams.size(); ++g)
    for (std::uint32_t w = 0; w < in.streams[g].warps.size(); ++w)
      for (const StreamEvent& event : in.streams[g].warps[w])
        if (event.site == site) {
          const Translation& t = *event.translation;
          if (t.affine && !t.is_fixed())
            return false;
        }
  return true;
}

} // namespace

std::vector<HottestOperations> hottest_operations(const StageInput& in,
                                                  const std::vector<facts::MemorySite>& sites,
                                                  const std::vector<double>& sample_weights) {
  std::vector<HottestOperations> out(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    if (sites[s].kind != facts::AccessKind::atomic)
      continue;
    const bool over_grid = sites[s].space != facts::MemorySpace::shared && same_for_all_groups(in, s);
    Counts all;
    for (std::size_t g = 0; g < in.trace.groups.size(); ++g) {
      Counts own;
      for (const facts::WarpTrace& warp : in.trace.groups[g].warps)
        count(warp, s, sites[s], over_grid ? sample_weights[g] : 1, over_grid ? all : own);
      raise(out[s], own);
    }
    raise(out[s], all);
  }
  return out;
}

} // namespace forewarp::memory
