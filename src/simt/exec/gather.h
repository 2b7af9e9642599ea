// Lanes' values out of memory that lies together.
#pragma once

#include "simt/decode/program.h"
#include "simt/memory_map.h"
#include "simt/sampling/recorder.h"

#include <cstdint>

namespace forewarp::simt {

/// Little-endian, at most 8. Each usual width by itself: a copy of unknown length takes tens of cycles.
std::uint64_t read_bytes(const std::uint8_t* from, unsigned bytes);
/// The low bytes of a value.
void write_bytes(std::uint8_t* to, std::uint64_t value, unsigned bytes);
/// Of at most 8 bytes.
bool all_known(const std::uint8_t* flags, unsigned bytes);

/// An access whose active lanes all lie in the span.
struct Gather {
  const Span& span;
  const std::uint64_t* addresses; ///< of each lane
  const AddressPattern& pattern;  ///< of the active lanes
  std::uint64_t active;
  unsigned lanes;
};

/// Can gather() take it?
bool is_gathered(const MemoryComponent& component);
/// Writes the active lanes' values of one component to its register; gives the lanes whose value is known.
std::uint64_t gather(const Gather& from, const MemoryComponent& component, std::uint8_t* slot);

} // namespace forewarp::simt
