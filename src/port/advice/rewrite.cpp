#include "port/advice/rewrite.h"

#include "port/access/classes.h"
#include "port/warps/lockstep.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>

namespace forewarp::port {
namespace {

bool inside(const facts::MemoryRegion& array, std::uint64_t address) {
  return address >= array.base && address < array.base + array.size_bytes;
}
std::uint64_t first_address(const facts::WarpTrace& warp, const facts::MemoryEvent& event) {
  return lane_address(event, warp.offsets, static_cast<unsigned>(std::countr_zero(event.active)));
}

template <class Visit> void each_event(Version& version, const Visit& visit) {
  for (facts::GroupTrace& group : version.warps.trace.groups)
    for (facts::WarpTrace& warp : group.warps)
      for (facts::MemoryEvent& event : warp.events)
        visit(warp, event);
}

} // namespace

std::optional<std::uint64_t> row_pitch_bytes(const Version& version, const facts::MemoryRegion& array) {
  std::map<std::uint64_t, std::size_t> pitches;
  std::size_t events = 0;
  for (const facts::GroupTrace& group : version.warps.trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events) {
        if (event.pattern != facts::MemoryEvent::Pattern::affine ||
            !inside(array, first_address(warp, event)))
          continue;
        const unsigned element = version.warps.sites[event.site].width_bytes;
        if (classify(event, warp.offsets, element) != AccessPattern::uncoalesced)
          continue;
        ++pitches[static_cast<std::uint64_t>(std::abs(event.stride))];
        ++events;
      }
  for (const auto& [pitch, count] : pitches)
    if (2 * count > events && array.size_bytes % pitch == 0 && array.size_bytes > pitch)
      return pitch;
  return std::nullopt;
}

Version transposed(const Version& base, const facts::MemoryRegion& array, std::uint64_t pitch_bytes) {
  Version version = base;
  const std::uint64_t rows = array.size_bytes / pitch_bytes;
  each_event(version, [&](facts::WarpTrace& warp, facts::MemoryEvent& event) {
    if (event.space != facts::MemorySpace::global || !inside(array, first_address(warp, event)))
      return;
    const unsigned element = version.warps.sites[event.site].width_bytes;
    std::array<std::uint64_t, 64> addresses{};
    for (std::uint64_t rest = event.active; rest; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t offset = lane_address(event, warp.offsets, lane) - array.base;
      const std::uint64_t row = offset / pitch_bytes, column = offset % pitch_bytes / element;
      addresses[lane] = array.base + (column * rows + row) * element;
    }
    event = make_event(event.site, event.active, addresses, warp.offsets);
  });
  return version;
}

Version in_constant_memory(const Version& base, const std::string& array) {
  Version version = base;
  for (facts::MemorySite& site : version.warps.sites)
    if (site.buffer == array && site.kind == facts::AccessKind::load)
      site.space = facts::MemorySpace::constant;
  each_event(version, [&](facts::WarpTrace&, facts::MemoryEvent& event) {
    if (version.warps.sites[event.site].space == facts::MemorySpace::constant)
      event.space = facts::MemorySpace::constant;
  });
  for (facts::MachineBlock& block : version.program.blocks)
    for (facts::MachineOp& op : block.ops)
      if (op.op == facts::OpClass::load_global && op.site < version.warps.sites.size() &&
          version.warps.sites[op.site].space == facts::MemorySpace::constant)
        op.op = facts::OpClass::load_constant;
  version.program.sites = version.warps.sites;
  return version;
}

} // namespace forewarp::port
