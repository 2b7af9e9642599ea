#include "memory/l1/retries.h"

#include "memory/coalesce/banks.h"
#include "memory/coalesce/lanes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace forewarp::memory {
namespace {

/// Accesses of a site and warp that are compared; later ones are taken to be like them.
constexpr std::uint32_t compared = 64;

std::vector<std::int64_t> distinct_addresses(const Lanes& lanes) {
  std::vector<std::int64_t> out;
  for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1)
    out.push_back(lanes.address[static_cast<unsigned>(std::countr_zero(rest))]);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Lanes lanes_of(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
               const facts::MemorySite& site) {
  return expand(event, offsets, static_cast<std::int64_t>(event.base), site.width_bytes);
}

/// A warp alone: in each attempt one lane of every address leaves.
Attempts alone(Lanes lanes, const gpu::MemoryTiming& memory) {
  Attempts out{0, 0};
  while (lanes.active) {
    out.count += 1;
    out.passes += bank_passes(lanes, memory, false).passes;
    std::array<std::int64_t, max_lanes> gone;
    std::size_t size = 0;
    for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const auto end = gone.begin() + static_cast<std::ptrdiff_t>(size);
      if (std::find(gone.begin(), end, lanes.address[lane]) != end)
        continue;
      gone[size++] = lanes.address[lane];
      lanes.active &= ~(std::uint64_t{1} << lane);
    }
  }
  return out;
}

} // namespace

bool is_retried(const facts::MemorySite& site, facts::AtomicKind kind, facts::MemorySpace space,
                const gpu::MemoryTiming& memory) {
  if (!memory.shared_atomics_retried || site.kind != facts::AccessKind::atomic ||
      space != facts::MemorySpace::shared)
    return false;
  return kind == facts::AtomicKind::floating || (kind == facts::AtomicKind::integer && site.width_bytes > 4);
}

Retries::Retries(const facts::GroupTrace& group, const std::vector<facts::MemorySite>& sites,
                 const facts::AtomicKinds& kinds, const gpu::MemoryTiming& memory)
    : sites_(sites), memory_(memory) {
  for (const facts::WarpTrace& warp : group.warps) {
    std::map<std::uint32_t, std::uint32_t> done;
    for (const facts::MemoryEvent& event : warp.events) {
      if (event.site >= sites.size() || !event.active ||
          !is_retried(sites[event.site], facts::kind_of_site(kinds, event.site), event.space, memory))
        continue;
      const std::uint32_t access = done[event.site]++;
      if (access < compared && event.pattern != facts::MemoryEvent::Pattern::unknown)
        for (const std::int64_t address :
             distinct_addresses(lanes_of(event, warp.offsets, sites[event.site])))
          ++warps_[{event.site, access}][address];
    }
  }
}

Attempts Retries::next(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets) {
  const std::uint32_t access = done_[event.site]++;
  if (event.pattern == facts::MemoryEvent::Pattern::unknown)
    return {};
  const Lanes lanes = lanes_of(event, offsets, sites_[event.site]);
  Attempts out = alone(lanes, memory_);
  const double factor = (1 + contenders({event.site, access}, distinct_addresses(lanes))) / 2;
  out.count *= factor;
  out.passes *= factor;
  return out;
}

double Retries::contenders(const Place& place, const std::vector<std::int64_t>& addresses) {
  auto& [sum, number] = seen_[place.first];
  if (place.second >= compared)
    return number > 0 ? sum / number : 1;
  const Warps& warps = warps_[place];
  unsigned most = 1;
  for (const std::int64_t address : addresses)
    if (const auto found = warps.find(address); found != warps.end())
      most = std::max(most, found->second);
  sum += most;
  number += 1;
  return most;
}

} // namespace forewarp::memory
