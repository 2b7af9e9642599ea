#include "memory/coalesce/lanes.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace forewarp::memory {

std::int64_t offset_of(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                       unsigned lane) {
  using Pattern = facts::MemoryEvent::Pattern;
  if (event.pattern == Pattern::affine)
    return event.stride * lane;
  if (event.pattern == Pattern::affine2 && event.row_lanes)
    return event.stride * (lane % event.row_lanes) + event.row_stride * (lane / event.row_lanes);
  if (event.pattern == Pattern::explicit_offsets && event.first_offset + lane < offsets.size())
    return offsets[event.first_offset + lane];
  return 0;
}

Lanes expand(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets, std::int64_t base,
             unsigned width_bytes) {
  Lanes lanes;
  lanes.active = event.active;
  lanes.width_bytes = width_bytes ? width_bytes : 1;
  for (std::uint64_t rest = event.active; rest; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(rest));
    lanes.address[lane] = base + offset_of(event, offsets, lane);
  }
  return lanes;
}

std::uint64_t lowest_address(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets) {
  using Pattern = facts::MemoryEvent::Pattern;
  if (event.active == 0)
    return event.base;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  if (event.pattern == Pattern::affine) { // an end of the row
    const int lane = event.stride < 0 ? 63 - std::countl_zero(event.active) : std::countr_zero(event.active);
    least = event.stride * lane;
  } else if (event.pattern == Pattern::explicit_offsets && event.first_offset + max_lanes <= offsets.size()) {
    const std::int64_t* const of_lane = offsets.data() + event.first_offset;
    for (std::uint64_t rest = event.active; rest; rest &= rest - 1)
      least = std::min(least, of_lane[std::countr_zero(rest)]);
  } else {
    for (std::uint64_t rest = event.active; rest; rest &= rest - 1)
      least = std::min(least, offset_of(event, offsets, static_cast<unsigned>(std::countr_zero(rest))));
  }
  return event.base + static_cast<std::uint64_t>(least);
}

Lanes interleave_local(const Lanes& lanes, unsigned warp_width, unsigned word) {
  Lanes out;
  out.active = lanes.active;
  out.width_bytes = lanes.width_bytes < 4 ? lanes.width_bytes : 4;
  for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::int64_t offset = lanes.address[lane] + 4 * static_cast<std::int64_t>(word);
    out.address[lane] = offset / 4 * 4 * warp_width + 4 * lane + offset % 4;
  }
  return out;
}

} // namespace forewarp::memory
