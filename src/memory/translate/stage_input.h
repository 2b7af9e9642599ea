// What the cache stages share: the samples' streams, and where an event's request lies when a group makes it.
#pragma once

#include "facts/memory_profile.h"
#include "gpu/machine.h"
#include "memory/translate/stream.h"
#include "memory/translate/translate.h"
#include "memory/translate/wave.h"

#include <vector>

namespace forewarp::memory {

/// Everything that the two cache stages share.
struct StageInput {
  const facts::KernelTrace& trace;
  const gpu::MemoryTiming& memory;
  const Translator& translator;
  RequestTable& requests;
  const std::vector<SampleStream>& streams; ///< by sample
  Dealing dealing;
  const std::vector<std::uint64_t>& pitches_bytes; ///< of TraceAddresses
  bool leaves_out_steady_loops = true;
  facts::AtomicKinds atomics = {}; ///< by site; empty: integers
};

/// Request and block shift of an event as `group` makes it.
struct PlacedRequest {
  const Request* request = nullptr;
  std::int64_t block = 0; ///< absolute block of the request's block 0
};
PlacedRequest place_inside_block(const StageInput& in, std::uint32_t sample, std::uint32_t warp,
                                 const StreamEvent& event, std::int64_t delta_bytes);
inline PlacedRequest place(const StageInput& in, std::uint32_t sample, std::uint32_t warp,
                           const StreamEvent& event, std::int64_t delta_bytes) {
  if (delta_bytes % static_cast<std::int64_t>(block_bytes) != 0)
    return place_inside_block(in, sample, warp, event, delta_bytes);
  const std::uint64_t address = event.base + static_cast<std::uint64_t>(delta_bytes);
  return {event.request, static_cast<std::int64_t>(address / block_bytes)};
}
/// Bytes by which private memory of a resident group lies from that of slot 0.
std::int64_t local_delta(const StageInput& in, std::uint32_t sample, std::uint64_t slot);

/// Sectors that a miss on all of `sectors` fetches: a cache's own sectors may be wider than 32 bytes.
std::uint8_t widened(const StageInput& in, Route route, std::uint8_t sectors);

} // namespace forewarp::memory
