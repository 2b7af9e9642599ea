#include "port/cache/class_rates.h"

#include "port/warps/lockstep.h"

#include <algorithm>
#include <bit>

namespace forewarp::port {
namespace {

class Follower {
public:
  Follower(const std::vector<facts::MemorySite>& sites, const CacheShape& shape)
      : sites_(sites), shape_(shape), cache_(shape) {}

  void follow(const facts::WarpTrace& warp, const facts::MemoryEvent& event) {
    if (event.space != facts::MemorySpace::global)
      return;
    const unsigned width = sites_[event.site].width_bytes;
    const AccessPattern pattern = classify(event, warp.offsets, width);
    ClassTraffic& traffic = rates[static_cast<std::size_t>(pattern)];
    ++traffic.events;
    std::uint64_t last_line = UINT64_MAX;
    for (std::uint64_t rest = event.active; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t address = lane_address(event, warp.offsets, lane);
      const std::uint64_t line = address / shape_.line_bytes;
      if (pattern != AccessPattern::uncoalesced && line == last_line)
        continue;
      last_line = line;
      ++traffic.l2_transactions;
      traffic.dram_transactions += !cache_.access(address);
    }
  }

  ClassRates rates;

private:
  const std::vector<facts::MemorySite>& sites_;
  CacheShape shape_;
  ConflictSets cache_;
};

void follow_batches(const facts::KernelTrace& trace, unsigned resident_groups, Follower& follower) {
  const std::size_t batch = std::max(1U, resident_groups);
  const std::size_t counted = std::min(trace.groups.size(), 2 * batch);
  for (std::size_t first = 0; first < counted; first += batch) {
    const std::size_t end = std::min(counted, first + batch);
    std::size_t longest = 0;
    for (std::size_t g = first; g < end; ++g)
      for (const facts::WarpTrace& warp : trace.groups[g].warps)
        longest = std::max(longest, warp.events.size());
    for (std::size_t e = 0; e < longest; ++e)
      for (std::size_t g = first; g < end; ++g)
        for (const facts::WarpTrace& warp : trace.groups[g].warps)
          if (e < warp.events.size())
            follower.follow(warp, warp.events[e]);
  }
}

} // namespace

ClassRates class_rates(const facts::KernelTrace& trace, const std::vector<facts::MemorySite>& sites,
                       const CacheShape& cache, unsigned resident_groups, bool warm) {
  Follower follower(sites, cache);
  if (warm) {
    follow_batches(trace, resident_groups, follower);
    follower.rates = {};
  }
  follow_batches(trace, resident_groups, follower);
  return follower.rates;
}

} // namespace forewarp::port
