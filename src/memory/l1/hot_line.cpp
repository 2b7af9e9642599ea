#include "memory/l1/hot_line.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace forewarp::memory {
namespace {

using Outcomes = std::vector<std::vector<std::vector<facts::AccessOutcome>>>;

/// Loads of global memory whose addresses do not move with the group, as far as the samples show.
std::vector<bool> fixed_sites(const StageInput& in, const std::vector<facts::MemorySite>& sites) {
  std::vector<bool> fixed(sites.size());
  for (std::size_t s = 0; s < sites.size(); ++s)
    fixed[s] = sites[s].kind == facts::AccessKind::load;
  for (const SampleStream& stream : in.streams)
    for (const std::vector<StreamEvent>& warp : stream.warps)
      for (const StreamEvent& event : warp) {
        const Translation& t = *event.translation;
        if (event.route == Route::constant || event.local || event.unknown || !t.is_fixed())
          fixed[event.site] = false;
      }
  return fixed;
}

/// Groups that sample `g` stands for; those of its class where one stream serves them all.
double groups_of(const StageInput& in, const std::vector<double>& weights, std::uint32_t g) {
  double groups = weights[g];
  if (in.translator.uniform(g))
    for (const std::uint32_t other : in.translator.alike(g))
      groups += other == g ? 0 : weights[other];
  return groups;
}

/// Calls `visit(block, site, sectors)` for what the fixed sites ask of L2.
template <class Visit>
void walk_blocks(const StageInput& in, const std::vector<bool>& fixed, const std::vector<double>& weights,
                 const Outcomes& outcomes, Visit visit) {
  for (std::uint32_t g = 0; g < in.streams.size(); ++g) {
    const double groups = groups_of(in, weights, g);
    for (std::size_t w = 0; w < in.streams[g].warps.size(); ++w)
      for (const StreamEvent& event : in.streams[g].warps[w]) {
        const facts::AccessOutcome& outcome = outcomes[g][w][event.event];
        if (!fixed[event.site] || outcome.l2_sectors <= 0)
          continue;
        const double passed = groups * outcome.l2_sectors / outcome.sectors;
        for (const BlockAccess& block : event.request->blocks)
          visit(event.base / block_bytes + static_cast<std::uint64_t>(block.block), event.site,
                passed * std::popcount(static_cast<unsigned>(block.sectors)));
      }
  }
}

} // namespace

std::vector<double> sectors_of_hottest_line(const StageInput& in, const std::vector<facts::MemorySite>& sites,
                                            const std::vector<double>& sample_weights,
                                            const Outcomes& outcomes) {
  std::vector<double> by_site(sites.size());
  const std::vector<bool> fixed = fixed_sites(in, sites);
  if (std::find(fixed.begin(), fixed.end(), true) == fixed.end())
    return by_site;
  std::unordered_map<std::uint64_t, double> lines;
  std::uint64_t hottest = 0;
  double most = 0;
  walk_blocks(in, fixed, sample_weights, outcomes, [&](std::uint64_t block, std::uint32_t, double sectors) {
    const double sum = lines[block] += sectors;
    if (sum > most) {
      most = sum;
      hottest = block;
    }
  });
  walk_blocks(in, fixed, sample_weights, outcomes,
              [&](std::uint64_t block, std::uint32_t site, double sectors) {
                if (block == hottest)
                  by_site[site] += sectors;
              });
  return by_site;
}

} // namespace forewarp::memory
