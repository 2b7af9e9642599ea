// Memory events: the pattern of a warp's addresses.
#pragma once

#include "facts/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::simt {

/// Addresses of one access, with what the fast paths need.
struct AddressPattern {
  facts::MemoryEvent::Pattern pattern = facts::MemoryEvent::Pattern::affine;
  std::uint64_t base = 0, low = 0, high = 0; ///< low, high: of the active lanes
  std::int64_t stride = 0, row_stride = 0;
  std::uint8_t row_lanes = 0;
};

/// `active` is not empty; lanes outside it are "don't care".
AddressPattern classify(const std::uint64_t* addresses, std::uint64_t active, unsigned lanes);

/// Where the last event of each site keeps its offsets.
struct LastOffsets {
  std::vector<std::uint32_t> of_site; ///< index into WarpTrace::offsets; UINT32_MAX: none
  std::uint64_t shared_bytes = 0;     ///< of offsets that were as the site's last
  void clear(std::size_t sites);
};

/// Appends the event to the trace; offsets are stored for the irregular pattern only, and once where they are
/// as those of the site's last event (null `last`: always). Returns the bytes that they take or would take.
std::size_t record(facts::WarpTrace& trace, std::uint32_t site, facts::MemorySpace space,
                   std::uint64_t active, const AddressPattern& pattern, const std::uint64_t* addresses,
                   unsigned lanes, LastOffsets* last);

/// Texels that lanes read, `places` by each.
struct Texels {
  std::array<std::array<std::uint64_t, 64>, 8> address = {}; ///< [place][lane], of active lanes
  std::uint64_t active = 0;
  unsigned places = 1;
  unsigned width_bytes = 4; ///< of a texel
  bool sampler_unknown = false;
};

/// Likewise for a read of several texels by each lane.
std::size_t record_mixed(facts::WarpTrace& trace, std::uint32_t site, const Texels& texels, unsigned lanes);

} // namespace forewarp::simt
