#include "memory/translate/stage_input.h"

namespace forewarp::memory {

/// A move by less than a block changes which sectors a request touches.
PlacedRequest place_inside_block(const StageInput& in, std::uint32_t sample, std::uint32_t warp,
                                 const StreamEvent& event, std::int64_t delta_bytes) {
  const std::uint64_t address = event.base + static_cast<std::uint64_t>(delta_bytes);
  const auto block = static_cast<std::int64_t>(address / block_bytes);
  const facts::WarpTrace& trace = in.trace.groups[sample].warps[warp];
  const facts::MemoryEvent& raw = trace.events[event.event];
  const Request& own = *event.request;
  if (raw.pattern == facts::MemoryEvent::Pattern::explicit_offsets)
    return {&own, block}; // irregular: the sub-block shift is left out
  return {&in.requests.moved(own, raw, trace.offsets, event.route, address % block_bytes), block};
}

std::int64_t local_delta(const StageInput& in, std::uint32_t sample, std::uint64_t slot) {
  const std::uint64_t warps = in.trace.groups[sample].warps.size();
  return static_cast<std::int64_t>(slot * warps * local_area_blocks(in.trace) * block_bytes);
}

std::uint8_t widened(const StageInput& in, Route route, std::uint8_t sectors) {
  const unsigned bytes = route == Route::l1         ? in.memory.l1.sector_bytes
                         : route == Route::constant ? in.memory.constant_l1.sector_bytes
                                                    : sector_bytes;
  if (bytes <= sector_bytes || sectors == 0)
    return sectors;
  if (bytes >= block_bytes)
    return 15;
  const unsigned pairs = (sectors | sectors >> 1U) & 5U;
  return static_cast<std::uint8_t>(pairs | pairs << 1U);
}

} // namespace forewarp::memory
