#include "port/warps/lockstep.h"

#include <bit>

namespace forewarp::port {
namespace {

struct Cursor {
  const std::uint32_t* step = nullptr;
  const std::uint32_t* end = nullptr;
  const std::uint64_t* address = nullptr;
  std::uint32_t previous = UINT32_MAX;
  bool done() const { return step == end; }
};

unsigned first_lane(std::uint64_t active) {
  return static_cast<unsigned>(std::countr_zero(active));
}

/// Lane l -> base + l * stride for all active lanes?
bool is_affine(std::uint64_t active, const std::array<std::uint64_t, 64>& addresses, std::int64_t stride) {
  const unsigned first = first_lane(active);
  for (std::uint64_t rest = active & (active - 1); rest; rest &= rest - 1) {
    const unsigned lane = first_lane(rest);
    const auto distance = static_cast<std::int64_t>(addresses[lane] - addresses[first]);
    if (distance != static_cast<std::int64_t>(lane - first) * stride)
      return false;
  }
  return true;
}

bool is_rows(std::uint64_t active, const std::array<std::uint64_t, 64>& addresses, unsigned row_lanes,
             std::int64_t stride, std::int64_t row_stride) {
  for (std::uint64_t rest = active; rest; rest &= rest - 1) {
    const unsigned lane = first_lane(rest);
    const auto distance = static_cast<std::int64_t>(addresses[lane] - addresses[0]);
    if (distance != (lane % row_lanes) * stride + (lane / row_lanes) * row_stride)
      return false;
  }
  return true;
}

bool find_rows(facts::MemoryEvent& event, std::uint64_t active,
               const std::array<std::uint64_t, 64>& addresses) {
  if ((active & 3) != 3)
    return false;
  const auto stride = static_cast<std::int64_t>(addresses[1] - addresses[0]);
  for (const unsigned row_lanes : {2U, 4U, 8U, 16U, 32U}) {
    if (!(active >> row_lanes & 1))
      continue;
    const auto row_stride = static_cast<std::int64_t>(addresses[row_lanes] - addresses[0]);
    if (!is_rows(active, addresses, row_lanes, stride, row_stride))
      continue;
    event.pattern = facts::MemoryEvent::Pattern::affine2;
    event.row_lanes = static_cast<std::uint8_t>(row_lanes);
    event.base = addresses[0];
    event.stride = stride;
    event.row_stride = row_stride;
    return true;
  }
  return false;
}

} // namespace

facts::MemoryEvent make_event(std::uint32_t site, std::uint64_t active,
                              const std::array<std::uint64_t, 64>& addresses,
                              std::vector<std::int64_t>& offsets) {
  facts::MemoryEvent event;
  event.site = site;
  event.active = active;
  const unsigned first = first_lane(active);
  const std::uint64_t rest = active & (active - 1);
  std::int64_t stride = 0;
  if (rest) {
    const unsigned second = first_lane(rest);
    stride = static_cast<std::int64_t>(addresses[second] - addresses[first]) /
             static_cast<std::int64_t>(second - first);
  }
  if (is_affine(active, addresses, stride)) {
    event.base = addresses[first] - static_cast<std::uint64_t>(stride) * first;
    event.stride = stride;
    return event;
  }
  if (find_rows(event, active, addresses))
    return event;
  event.pattern = facts::MemoryEvent::Pattern::explicit_offsets;
  event.base = addresses[first];
  event.first_offset = static_cast<std::uint32_t>(offsets.size());
  const unsigned last = 63 - static_cast<unsigned>(std::countl_zero(active));
  for (unsigned lane = 0; lane <= last; ++lane)
    offsets.push_back(active >> lane & 1 ? static_cast<std::int64_t>(addresses[lane] - addresses[first]) : 0);
  return event;
}

std::uint64_t lane_address(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                           unsigned lane) {
  using Pattern = facts::MemoryEvent::Pattern;
  const auto l = static_cast<std::int64_t>(lane);
  switch (event.pattern) {
  case Pattern::affine:
    return event.base + static_cast<std::uint64_t>(l * event.stride);
  case Pattern::affine2:
    return event.base + static_cast<std::uint64_t>(l % event.row_lanes * event.stride +
                                                   l / event.row_lanes * event.row_stride);
  default:
    return event.base + static_cast<std::uint64_t>(offsets[event.first_offset + lane]);
  }
}

facts::WarpTrace run_in_lockstep(const facts::RegionTrace& trace, const DeviceLayout& layout,
                                 const std::vector<std::uint32_t>& rank, const WarpLanes& lanes,
                                 unsigned warp_width) {
  std::array<Cursor, 64> cursors;
  std::uint64_t live = 0;
  for (unsigned lane = 0; lane < warp_width; ++lane)
    if (lanes[lane] && lanes[lane]->step_count > 0) {
      cursors[lane].step = trace.steps.data() + lanes[lane]->first_step;
      cursors[lane].end = cursors[lane].step + lanes[lane]->step_count;
      cursors[lane].address = trace.addresses.data() + lanes[lane]->first_address;
      live |= 1ULL << lane;
    }
  facts::WarpTrace warp;
  std::array<std::uint64_t, 64> addresses{};
  while (live) {
    std::uint32_t block = facts::no_region_index;
    std::uint64_t active = 0;
    for (std::uint64_t rest = live; rest; rest &= rest - 1) {
      const unsigned lane = first_lane(rest);
      const std::uint32_t at = *cursors[lane].step;
      if (block == facts::no_region_index || rank[at] < rank[block])
        block = at, active = 0;
      if (at == block)
        active |= 1ULL << lane;
    }
    const facts::RegionBlock& facts_of_block = trace.blocks[block];
    warp.steps.push_back({block, cursors[first_lane(active)].previous, active,
                          static_cast<std::uint32_t>(warp.events.size())});
    warp.ir_instructions += facts_of_block.instruction_count;
    for (std::uint32_t s = 0; s < facts_of_block.site_count; ++s) {
      for (std::uint64_t rest = active; rest; rest &= rest - 1) {
        const unsigned lane = first_lane(rest);
        addresses[lane] = layout.device(cursors[lane].address[s]);
      }
      warp.events.push_back(make_event(facts_of_block.first_site + s, active, addresses, warp.offsets));
    }
    for (std::uint64_t rest = active; rest; rest &= rest - 1) {
      Cursor& cursor = cursors[first_lane(rest)];
      cursor.previous = block;
      cursor.address += facts_of_block.site_count;
      if (++cursor.step == cursor.end)
        live &= ~(1ULL << first_lane(rest));
    }
  }
  return warp;
}

} // namespace forewarp::port
