// Addresses of one warp-level access, lane by lane.
#pragma once

#include "facts/trace.h"

#include <array>
#include <cstdint>

namespace forewarp::memory {

inline constexpr unsigned max_lanes = 64;
/// Unit of all streams in this room: a 128-byte block and a mask of its four 32-byte sectors.
inline constexpr unsigned block_bytes = 128, sector_bytes = 32;

struct Lanes {
  std::array<std::int64_t, max_lanes> address{}; ///< valid where `active` has the bit
  std::uint64_t active = 0;
  unsigned width_bytes = 4; ///< bytes per lane
};

/// Start of the block that holds the event's base.
constexpr std::uint64_t block_of(std::uint64_t address) {
  return address / block_bytes;
}

/// Bytes from the event's base to the lane's address; 0 where the pattern does not tell.
std::int64_t offset_of(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                       unsigned lane);

/// Lane addresses with the event's base taken as `base`. An event of unknown pattern yields all lanes at
/// `base`: callers replace it first (see unknown.h).
Lanes expand(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets, std::int64_t base,
             unsigned width_bytes);

/// Lowest address of an active lane. The base stands for lane 0, which may be idle: with few active lanes it
/// lies anywhere.
std::uint64_t lowest_address(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets);

/// Private memory as GPUs lay it out: 4-byte words interleaved over the lanes of a warp, so that lanes that
/// use the same private offset touch one contiguous line. `width_bytes` above 4 becomes several words:
/// `words` calls.
Lanes interleave_local(const Lanes& lanes, unsigned warp_width, unsigned word);
constexpr unsigned local_words(unsigned width_bytes) {
  return (width_bytes + 3) / 4;
}

} // namespace forewarp::memory
