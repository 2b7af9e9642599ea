#include "predict/traced/waves/like_groups.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace forewarp::predict::hybrid {
namespace {

/// Passes, sectors of L2 and sectors of DRAM by site, summed over a group.
using Demand = std::vector<std::array<double, 3>>;

/// Sites of a group's accesses in order. All samples of a class run alike: theirs are the same, and four
/// bytes an access instead of an event.
std::vector<std::uint32_t> sites_of(const facts::GroupTrace& group) {
  std::vector<std::uint32_t> sites;
  for (const facts::WarpTrace& warp : group.warps)
    for (const facts::MemoryEvent& event : warp.events)
      sites.push_back(event.site);
  return sites;
}

Demand demand_of(const std::vector<std::uint32_t>& sites, const facts::MemoryProfile& memory,
                 std::uint32_t sample) {
  Demand demand(memory.sites.size());
  auto at = sites.begin();
  for (const std::vector<facts::AccessOutcome>& warp : memory.outcomes[sample])
    for (const facts::AccessOutcome& outcome : warp) {
      std::array<double, 3>& site = demand[*at++];
      site[0] += outcome.transactions;
      site[1] += outcome.l2_sectors;
      site[2] += outcome.dram_sectors + outcome.dram_extra_sectors;
    }
  return demand;
}

Demand mean_of(const std::vector<Demand>& demands) {
  Demand mean(demands.front().size());
  for (const Demand& demand : demands)
    for (std::size_t s = 0; s < mean.size(); ++s)
      for (std::size_t kind = 0; kind < mean[s].size(); ++kind)
        mean[s][kind] += demand[s][kind] / static_cast<double>(demands.size());
  return mean;
}

/// Sum of all differences; infinite where one of them is too large for the two to be alike.
double distance(const Demand& demand, const Demand& mean) {
  constexpr double of_site = 0.05, of_all_sites = 0.01;
  std::array<double, 3> all{};
  for (const std::array<double, 3>& site : mean)
    for (std::size_t kind = 0; kind < all.size(); ++kind)
      all[kind] += site[kind];
  double sum = 0;
  for (std::size_t s = 0; s < mean.size(); ++s)
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
      const double difference = std::abs(demand[s][kind] - mean[s][kind]);
      if (difference > std::max(of_site * mean[s][kind], of_all_sites * all[kind]))
        return INFINITY;
      sum += difference;
    }
  return sum;
}

/// Every access of the sample takes the same as the first sample's, to the bit. Of one class, both access the
/// same sites in the same order.
bool same_as_first(const facts::MemoryProfile& memory, std::uint32_t first, std::uint32_t sample) {
  const auto same_outcome = [](const facts::AccessOutcome& a, const facts::AccessOutcome& b) {
    return a.transactions == b.transactions && a.l2_sectors == b.l2_sectors &&
           a.dram_sectors == b.dram_sectors && a.dram_extra_sectors == b.dram_extra_sectors &&
           a.lines == b.lines && a.dram_wait == b.dram_wait;
  };
  return std::ranges::equal(
      memory.outcomes[sample], memory.outcomes[first],
      [&](const auto& a, const auto& b) { return std::ranges::equal(a, b, same_outcome); });
}

/// The first of those that are nearest to the mean, or nothing to be left out.
std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& samples, const facts::KernelTrace& trace,
                                  const facts::MemoryProfile& memory) {
  if (samples.size() < 2)
    return samples;
  // All are as near to the mean then.
  if (std::all_of(samples.begin() + 1, samples.end(),
                  [&](std::uint32_t sample) { return same_as_first(memory, samples.front(), sample); }))
    return {samples.front()};
  const std::vector<std::uint32_t> sites = sites_of(trace.groups[samples.front()]);
  std::vector<Demand> demands;
  for (const std::uint32_t sample : samples)
    demands.push_back(demand_of(sites, memory, sample));
  const Demand mean = mean_of(demands);
  std::size_t nearest = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double away = distance(demands[i], mean);
    if (std::isinf(away))
      return samples;
    if (away < least) {
      least = away;
      nearest = i;
    }
  }
  return {samples[nearest]};
}

} // namespace

std::vector<facts::BehaviourClass> with_like_groups_joined(const std::vector<facts::BehaviourClass>& classes,
                                                           const facts::KernelTrace& trace,
                                                           const facts::MemoryProfile& memory) {
  std::vector<facts::BehaviourClass> out = classes;
  for (facts::BehaviourClass& behaviour : out)
    behaviour.samples = joined(behaviour.samples, trace, memory);
  return out;
}

} // namespace forewarp::predict::hybrid
