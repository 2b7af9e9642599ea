#include "memory/l1/atomics.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace forewarp::memory {
namespace {

/// Operations by address and by line.
struct Counts {
  std::unordered_map<std::int64_t, double> addresses;
  std::unordered_map<std::int64_t, HottestOperations> lines; ///< address: of the line's most used one
};

void add(std::int64_t address, double operations, Counts& counts) {
  const double here = counts.addresses[address] += operations;
  HottestOperations& line = counts.lines[address / block_bytes];
  line.line += operations;
  line.address = std::max(line.address, here);
}

/// Places that nobody knows: evenly over the buffer, where that is small enough to be fought over.
void spread(const facts::MemoryEvent& event, const facts::MemorySite& site, const facts::MemoryRegion* region,
            double weight, Counts& counts) {
  constexpr std::uint64_t most_lines = 1024;
  if (region == nullptr || region->size_bytes == 0 || region->size_bytes > most_lines * block_bytes)
    return;
  const std::uint64_t width = std::max(1U, site.width_bytes);
  const std::uint64_t places = std::max<std::uint64_t>(1, region->size_bytes / width);
  const double operations = weight * std::popcount(event.active) / static_cast<double>(places);
  for (std::uint64_t place = 0; place < places; ++place)
    add(static_cast<std::int64_t>(region->base + place * width), operations, counts);
}

void count(const facts::WarpTrace& warp, std::uint32_t index, const facts::MemorySite& site,
           const facts::MemoryRegion* region, double weight, Counts& counts) {
  for (const facts::MemoryEvent& event : warp.events) {
    if (event.site != index)
      continue;
    if (event.pattern == facts::MemoryEvent::Pattern::unknown) {
      spread(event, site, region, weight, counts);
      continue;
    }
    const Lanes lanes = expand(event, warp.offsets, static_cast<std::int64_t>(event.base), site.width_bytes);
    const std::uint64_t first = lanes.active & (~lanes.active + 1);
    for (std::uint64_t rest = site.one_per_warp ? first : lanes.active; rest; rest &= rest - 1)
      add(lanes.address[static_cast<unsigned>(std::countr_zero(rest))], weight, counts);
  }
}

void raise(HottestOperations& to, const Counts& counts) {
  for (const auto& [place, line] : counts.lines) {
    to.address = std::max(to.address, line.address);
    to.line = std::max(to.line, line.line);
  }
}

/// The line whose operations, of all sites, take longest; of several the lowest.
std::int64_t slowest_line(const std::vector<Counts>& of_site, const gpu::MemoryTiming& memory) {
  std::map<std::int64_t, double> cycles;
  for (const Counts& counts : of_site)
    for (const auto& [place, line] : counts.lines)
      cycles[place] += atomic_line_cycles(line, memory);
  const auto slowest = std::max_element(cycles.begin(), cycles.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return slowest == cycles.end() ? -1 : slowest->first;
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

double atomic_line_cycles(const HottestOperations& operations, const gpu::MemoryTiming& memory) {
  const double address = operations.address / std::max(memory.atomic_same_address_per_cycle, 1e-6);
  const double line =
      memory.atomic_same_line_per_cycle > 0 ? operations.line / memory.atomic_same_line_per_cycle : 0;
  return std::max(address, line);
}

std::vector<HottestOperations> hottest_operations(const StageInput& in,
                                                  const std::vector<facts::MemorySite>& sites,
                                                  const std::vector<double>& sample_weights) {
  std::vector<HottestOperations> out(sites.size());
  std::vector<Counts> over_grid(sites.size());
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    if (sites[s].kind != facts::AccessKind::atomic)
      continue;
    const bool shared = sites[s].space == facts::MemorySpace::shared;
    const bool together = !shared && same_for_all_groups(in, s);
    const facts::MemoryRegion* region = shared ? nullptr : region_of_site(in.trace, sites[s]);
    for (std::size_t g = 0; g < in.trace.groups.size(); ++g) {
      Counts own;
      Counts& counts = together ? over_grid[s] : own;
      for (const facts::WarpTrace& warp : in.trace.groups[g].warps)
        count(warp, s, sites[s], region, together ? sample_weights[g] : 1, counts);
      raise(out[s], own);
    }
    raise(out[s], over_grid[s]);
  }
  const std::int64_t slowest = slowest_line(over_grid, in.memory);
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    if (over_grid[s].lines.empty())
      continue;
    const auto found = over_grid[s].lines.find(slowest);
    if (found == over_grid[s].lines.end())
      out[s].line = 0;
    else
      out[s] = found->second;
  }
  return out;
}

} // namespace forewarp::memory
